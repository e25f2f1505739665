package run

import (
	"reflect"

	"hcasim/hca"
)

// RunSeen runs a plan; see is given the adapter of the first host before time
// begins.
func RunSeen(p Plan, see func(h *hca.HCA)) (*Result, error) {
	r, err := prepare(p)
	if err != nil {
		return nil, err
	}
	see(r.world.sides[0].hca)
	return r.play()
}

// Unseen prepares a plan that has an onlooker, and names the probes which it
// would not be told of.
func Unseen(p Plan) (names []string, err error) {
	r, err := prepare(p)
	if err != nil {
		return nil, err
	}
	rooms := map[string]any{"link": r.world.link}
	for _, x := range r.world.sides {
		rooms[x.name+" hca"], rooms[x.name+" unit"], rooms[x.name+" taps"] = x.hca, x.hca.Unit, &x.host.Bus.Taps
		rooms[x.name+" memory"], rooms[x.name+" root"] = x.host.Pager.Memory, x.host.Root
		if u := x.host.Root.IOMMU; u != nil {
			rooms[x.name+" iommu"] = u
		}
	}
	for room, of := range rooms {
		for _, name := range unwatched(reflect.ValueOf(of).Elem()) {
			names = append(names, room+": "+name)
		}
	}
	return names, nil
}

// unwatched names the probes of a room that nobody watches.
func unwatched(room reflect.Value) (names []string) {
	for i := range room.NumField() {
		f, field := room.Field(i), room.Type().Field(i)
		if !field.IsExported() {
			continue
		}
		if f.Kind() != reflect.Pointer {
			f = f.Addr()
		}
		if probe, is := f.Interface().(interface{ On() bool }); is && !probe.On() {
			names = append(names, field.Name)
		}
	}
	return names
}

// OpenStalls runs a plan and names the stalls that nobody has ended.
func OpenStalls(p Plan) (names []string, err error) {
	r, err := prepare(p)
	if err != nil {
		return nil, err
	}
	if _, err := r.play(); err != nil {
		return nil, err
	}
	for end := range r.rec.lines {
		for i, l := range r.rec.lines[end] {
			if l.n != 0 {
				names = append(names, r.world.sides[end].name+" "+stallNames[i].name)
			}
		}
	}
	return names, nil
}
