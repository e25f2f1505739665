package ib

var accessFlagNames = flagSet{"IBV_ACCESS_", []flag{
	{uint32(LocalWrite), "IBV_ACCESS_LOCAL_WRITE"}, {uint32(RemoteWrite), "IBV_ACCESS_REMOTE_WRITE"},
	{uint32(RemoteRead), "IBV_ACCESS_REMOTE_READ"}, {uint32(RemoteAtomic), "IBV_ACCESS_REMOTE_ATOMIC"},
	{uint32(MWBind), "IBV_ACCESS_MW_BIND"}, {uint32(ZeroBased), "IBV_ACCESS_ZERO_BASED"},
	{uint32(OnDemand), "IBV_ACCESS_ON_DEMAND"}, {uint32(HugeTLB), "IBV_ACCESS_HUGETLB"},
	{uint32(FlushGlobal), "IBV_ACCESS_FLUSH_GLOBAL"}, {uint32(FlushPersistent), "IBV_ACCESS_FLUSH_PERSISTENT"},
	{uint32(RelaxedOrdering), "IBV_ACCESS_RELAXED_ORDERING"},
}}

// String returns libibverbs' names joined by |, 0 for none, and a hexadecimal
// number for bits that have no name.
func (f AccessFlags) String() string { return accessFlagNames.name(uint32(f), false) }

// Short returns the names without IBV_ACCESS_.
func (f AccessFlags) Short() string { return accessFlagNames.name(uint32(f), true) }

// ParseAccessFlags returns the flags that s names, joined by | if several.
func ParseAccessFlags(s string) (AccessFlags, bool) {
	v, ok := accessFlagNames.value(s)
	return AccessFlags(v), ok
}

// AccessFlagsNames returns the name of every single access flag, short ones
// first.
func AccessFlagsNames() []string { return accessFlagNames.words() }

var sendFlagNames = flagSet{"IBV_SEND_", []flag{
	{uint32(Fence), "IBV_SEND_FENCE"}, {uint32(Signaled), "IBV_SEND_SIGNALED"},
	{uint32(Solicited), "IBV_SEND_SOLICITED"}, {uint32(Inline), "IBV_SEND_INLINE"},
}}

// String returns libibverbs' names joined by |, 0 for none.
func (f SendFlags) String() string { return sendFlagNames.name(uint32(f), false) }

// Short returns the names without IBV_SEND_.
func (f SendFlags) Short() string { return sendFlagNames.name(uint32(f), true) }

// ParseSendFlags returns the flags that s names, joined by | if several.
func ParseSendFlags(s string) (SendFlags, bool) {
	v, ok := sendFlagNames.value(s)
	return SendFlags(v), ok
}

// SendFlagsNames returns the name of every single send flag, short ones first.
func SendFlagsNames() []string { return sendFlagNames.words() }

var wcFlagNames = flagSet{"IBV_WC_", []flag{
	{uint32(WithImm), "IBV_WC_WITH_IMM"}, {uint32(WithInv), "IBV_WC_WITH_INV"},
}}

// String returns libibverbs' names joined by |, 0 for none.
func (f WCFlags) String() string { return wcFlagNames.name(uint32(f), false) }

// Short returns the names without IBV_WC_.
func (f WCFlags) Short() string { return wcFlagNames.name(uint32(f), true) }

// ParseWCFlags returns the flags that s names, joined by | if several.
func ParseWCFlags(s string) (WCFlags, bool) {
	v, ok := wcFlagNames.value(s)
	return WCFlags(v), ok
}

// WCFlagsNames returns the name of every single completion flag, short ones
// first.
func WCFlagsNames() []string { return wcFlagNames.words() }

var reregFlagNames = flagSet{"IBV_REREG_MR_CHANGE_", []flag{
	{uint32(ReregTranslation), "IBV_REREG_MR_CHANGE_TRANSLATION"}, {uint32(ReregPD), "IBV_REREG_MR_CHANGE_PD"},
	{uint32(ReregAccess), "IBV_REREG_MR_CHANGE_ACCESS"},
}}

// String returns libibverbs' names joined by |, 0 for none.
func (f ReregFlags) String() string { return reregFlagNames.name(uint32(f), false) }

// Short returns the names without IBV_REREG_MR_CHANGE_.
func (f ReregFlags) Short() string { return reregFlagNames.name(uint32(f), true) }

// ParseReregFlags returns the flags that s names, joined by | if several.
func ParseReregFlags(s string) (ReregFlags, bool) {
	v, ok := reregFlagNames.value(s)
	return ReregFlags(v), ok
}

// ReregFlagsNames returns the name of every single flag of ibv_rereg_mr, short
// ones first.
func ReregFlagsNames() []string { return reregFlagNames.words() }
