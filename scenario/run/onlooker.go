package run

import "hcasim/sim"

// onlook calls f whenever any of the world's probes has something to show.
func (w *world) onlook(f func()) {
	for _, x := range w.sides {
		h, u, bus := x.hca, x.hca.Unit, x.host.Bus
		onlook(f, &h.Retired)
		onlook(f, &h.Refused)
		onlook(f, &h.Executed)
		onlook(f, &h.Reached)
		onlook(f, &h.Landed)
		onlook(f, &h.Visible)
		onlook(f, &h.Raised)
		onlook(f, &h.Stalls)
		onlook(f, &h.Worked)
		onlook(f, &h.Moved)
		onlook(f, &u.Judgements)
		onlook(f, &u.Translations)
		onlook(f, &u.Contexts)
		onlook(f, &u.Changes)
		onlook(f, &u.Fetches)
		onlook(f, &u.Stalls)
		onlook(f, &bus.Taps.TLPs)
		onlook(f, &bus.Taps.Requests)
		onlook(f, &bus.Taps.Up)
		onlook(f, &bus.Taps.Down)
		onlook(f, &bus.Taps.Stalls)
		onlook(f, &x.host.Pager.Memory.Changed)
		onlook(f, &x.host.Root.Found)
		if m := x.host.Root.IOMMU; m != nil {
			onlook(f, &m.Looked)
			onlook(f, &m.Waited)
		}
	}
	onlook(f, &w.link.Tap)
	onlook(f, &w.link.Received)
	onlook(f, &w.link.Stalls)
}

func onlook[T any](f func(), p *sim.Probe[T]) { p.Watch(func(T) { f() }) }
