package tpt

import "hcasim/ib"

const (
	// knownAccess are the flags that mean something here.
	knownAccess = ib.LocalWrite | ib.RemoteWrite | ib.RemoteRead | ib.RemoteAtomic | ib.MWBind |
		ib.ZeroBased | ib.OnDemand | ib.HugeTLB | ib.FlushGlobal | ib.FlushPersistent | ib.RelaxedOrdering

	remoteAccess = ib.RemoteWrite | ib.RemoteRead | ib.RemoteAtomic

	// writes are the rights of a peer that change memory: they need local
	// write (ACC-1, BND-2).
	writes = ib.RemoteWrite | ib.RemoteAtomic

	// windowAccess are the flags that a bind may carry (BND-7).
	windowAccess = remoteAccess | ib.ZeroBased

	basePage = 1 << 12 // the page that ACC-10 speaks of
)

// CheckRegister holds a registration to the rules that need no table: the part
// that a driver asks before it pins. va is the address that keys will use (for
// a zero-based region it is not read), first the offset of the buffer's first
// byte within its page. It returns the errno of the verb and the rule that
// refused.
func CheckRegister(access ib.AccessFlags, va, length, first uint64) (ib.Errno, string) {
	if errno, rule := checkAccess(access); errno != ib.OK {
		return errno, rule
	}
	if access&ib.ZeroBased != 0 {
		va = 0
	}
	switch {
	case length == 0, va > ^uint64(0)-length: // the sum must stay below 2^64
		return ib.EINVAL, "ACC-11"
	case (va^first)&(basePage-1) != 0:
		return ib.EINVAL, "ACC-10"
	}
	return ib.OK, ""
}

// checkAccess holds the rights of a region to the rules: of registration, of
// rereg (ACC-17), and of REG_MR (ACC-19).
func checkAccess(access ib.AccessFlags) (ib.Errno, string) {
	switch {
	case access&^(knownAccess|ib.OptionalAccess) != 0:
		return ib.EINVAL, "ACC-5"
	case access&writes != 0 && access&ib.LocalWrite == 0:
		return ib.EINVAL, "ACC-1"
	case access&(ib.FlushGlobal|ib.FlushPersistent) != 0:
		return ib.EOPNOTSUPP, "ACC-7"
	}
	return ib.OK, ""
}

// BindObjects are what the poster of a bind knows of its two objects.
type BindObjects struct {
	Window       ib.MWType
	WindowPD     ib.PDN
	RegionPD     ib.PDN         // not read where the bind names no region
	RegionAccess ib.AccessFlags // likewise
}

// CheckBind holds a bind to the rules of the moment it is posted: b.Type 1 is
// the Bind verb, 2 a BIND_MW work request. It returns the errno of the verb
// and the rule that refused. All else is judged when the request is executed.
func (v *Variant) CheckBind(b *ib.Bind, o BindObjects) (ib.Errno, string) {
	verb := b.Type == ib.MWType1
	switch {
	case verb && o.Window != ib.MWType1:
		return ib.EINVAL, "POST-3"
	case !verb && o.Window == ib.MWType1:
		return ib.EINVAL, "POST-4"
	case b.Access&^windowAccess != 0:
		return ib.EINVAL, "BND-7"
	case verb && b.Access&ib.ZeroBased != 0:
		return ib.EINVAL, "BND-8"
	case verb && b.NoRegion && (b.Addr != 0 || b.Length != 0):
		return ib.EINVAL, "POST-3"
	case verb && !b.NoRegion && o.RegionPD != o.WindowPD:
		return ib.EPERM, "POST-3"
	case verb && !b.NoRegion && b.Length != 0 && o.RegionAccess&ib.ZeroBased != 0:
		return ib.EINVAL, "BND-9"
	case v.MaxBind != 0 && b.Length > v.MaxBind:
		return ib.EOPNOTSUPP, "BND-6"
	}
	return ib.OK, ""
}
