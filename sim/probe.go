package sim

// A Probe is a place where one may watch. With no watcher it costs the one
// predictable branch of On. The zero Probe has none.
type Probe[T any] struct {
	watchers []func(T)
}

// Watch adds a watcher. Watchers must change nothing of the model.
func (p *Probe[T]) Watch(f func(T)) { p.watchers = append(p.watchers, f) }

// On reports whether anybody watches: ask before building what is emitted.
func (p *Probe[T]) On() bool { return len(p.watchers) != 0 }

// Emit shows v to the watchers, in the order they came.
func (p *Probe[T]) Emit(v T) {
	for _, f := range p.watchers {
		f(v)
	}
}
