package sim

const poolChunk = 32

// A Pool is a slab of Ts addressed by handle. It grows by chunks, so pointers
// stay valid, and gives handles back in the order last put, first got: what is
// got was in the cache a moment ago. The zero Pool is empty and ready.
type Pool[T any] struct {
	chunks []*[poolChunk]T
	free   []uint32
	made   uint32
}

// Get returns the handle of a T nobody has. It is as it was when last put.
func (p *Pool[T]) Get() uint32 {
	if n := len(p.free); n > 0 {
		h := p.free[n-1]
		p.free = p.free[:n-1]
		return h
	}
	if p.made%poolChunk == 0 {
		p.chunks = append(p.chunks, new([poolChunk]T))
	}
	p.made++
	return p.made - 1
}

// Put gives h back. Whoever puts a handle twice will see two owners.
func (p *Pool[T]) Put(h uint32) { p.free = append(p.free, h) }

// At returns the T of handle h; the pointer stays valid.
func (p *Pool[T]) At(h uint32) *T { return &p.chunks[h/poolChunk][h%poolChunk] }

// Made returns how many there have been at once: all handles are below it.
func (p *Pool[T]) Made() int { return int(p.made) }

// Live returns how many handles are out.
func (p *Pool[T]) Live() int { return int(p.made) - len(p.free) }
