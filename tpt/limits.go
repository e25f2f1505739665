package tpt

// MaxIndex is the greatest index that a 24-bit index field can name; index 0
// is never given out (KEY-14).
const MaxIndex = 1<<24 - 1

// Limits are the sizes of the tables (paths hca.limit.*). Tables grow as they
// are filled: a large limit costs nothing until it is used.
type Limits struct {
	MR  uint32 `yaml:"mr" default:"1048576" min:"1" max:"16777215" unit:"regions" doc:"Memory regions of all kinds that may exist at once; one more is ENOMEM (ACC-14). Regions and windows share 2^24-1 indices."`
	MW  uint32 `yaml:"mw" default:"1048576" min:"1" max:"16777215" unit:"windows" doc:"Memory windows of all types that may exist at once; one more is ENOMEM (ACC-14)."`
	MTT uint32 `yaml:"mtt" default:"67108864" min:"1" max:"1073741824" unit:"entries" doc:"Translation entries, one for each page of each region; when no run of free ones is long enough the region is refused with ENOMEM (ACC-14)."`
	QP  uint32 `yaml:"qp" default:"262144" min:"1" max:"16777215" unit:"queue pairs" doc:"Queue pairs that may exist at once; one more is ENOMEM."`
	SRQ uint32 `yaml:"srq" default:"65536" min:"1" max:"16777215" unit:"queues" doc:"Shared receive queues that may exist at once; one more is ENOMEM."`
	PD  uint32 `yaml:"pd" default:"65536" min:"1" max:"16777215" unit:"domains" doc:"Protection domains that may exist at once; one more is ENOMEM."`
}

// DefaultLimits returns the defaults that the tags state.
func DefaultLimits() Limits {
	return Limits{MR: 1 << 20, MW: 1 << 20, MTT: 1 << 26, QP: 1 << 18, SRQ: 1 << 16, PD: 1 << 16}
}
