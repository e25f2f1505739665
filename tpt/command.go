package tpt

import (
	"iter"

	"hcasim/ib"
)

// A Command is one change, from whatever side it comes. Only the fields that
// its Op names are read.
type Command struct {
	Op     Op
	PD     ib.PDN         // new object's PD; rereg: new PD; work request: PD of the QP that carries it
	QPN    ib.QPN         // work request: the QP that carries it; QP commands: the QP
	SRQN   ib.SRQN        // SRQ commands
	Index  ib.Index       // dereg, rereg, dealloc, set-pages: the object; shared: the region to share
	Key    ib.Key         // invalidate: the key to kill; fast-register: region's index and new byte; reg, alloc: the key asked for, 0 for none
	Access ib.AccessFlags // rights asked for
	// VA is the first address (IOVA) of the region, of the range to bind, or
	// of the pages to set. A zero-based region does not read it.
	VA     uint64
	Length uint64
	// First is the offset of the first byte within the first page.
	First     uint64
	PageShift uint8 // log2 of the page size, 12..30
	// Pages are the physical addresses of the pages, in order; read during
	// Apply only. An on-demand region may leave them out, or have NoPage.
	Pages []uint64
	// Runs say the same of a region where neighbours lie side by side, which
	// is all that is kept of them: as often as they are asked for. They are
	// given, or Pages.
	Runs     iter.Seq[PageRun]
	MaxPages uint32 // AllocMR: longest page list that may be registered
	Rereg    ib.ReregFlags
	MWType   ib.MWType
	Window   ib.Index // BindMW
	Region   ib.Key   // BindMW: L_Key of the region; fast-register: its current key, or 0 where Key says enough
	NoRegion bool     // BindMW type 1: unbind
	NewByte  uint8    // BindMW type 2: key byte wanted
	Fail     bool     // a device failure injected on purpose (RER-7)
	Writable bool     // rereg/reg: the pages are pinned writable (ACC-18)
}

// A PageRun is pages that lie side by side.
type PageRun struct {
	Addr  uint64 // of the first
	Pages uint64
}

// pages counts the pages that c gives.
func (c *Command) pages() uint64 {
	n := uint64(len(c.Pages))
	if c.Runs != nil {
		for r := range c.Runs {
			n += r.Pages
		}
	}
	return n
}

// A Result is what a change came to. Errno is for commands of the driver,
// Status for work requests; both zero mean done. On a refusal the tables are
// as before, save where the rules say otherwise (RER-7).
type Result struct {
	Errno  ib.Errno
	Rereg  ib.ReregResult
	Status ib.WCStatus
	Rule   string   // id of the rule that refused, such as "BND-1"
	Fault  Fault    // cause, where one of the access faults names it
	Index  ib.Index // new object
	PD     ib.PDN   // AllocPD
	Key    ib.Key   // current key of the object after the change
	RKey   ib.RKey  // the R_Key to hand out: as Key, or 0 (rkey_value)
	OldKey ib.Key   // key that died, 0 if none
	// Touched are the entries that changed: copies of them are stale. Also
	// are those that follow from it, the windows of a region that was
	// reregistered or deregistered under them.
	Touched [2]ib.Index
	Also    []ib.Index
	// MTT is the run of translation entries that changed or were given back;
	// of a rereg the old one, since nobody can hold a copy of the new.
	MTT, MTTCount uint32
}

// Done reports whether the change was made in full.
func (r *Result) Done() bool { return r.Errno == ib.OK && r.Status == ib.Success }
