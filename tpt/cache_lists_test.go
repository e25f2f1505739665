package tpt

// dumbCache is an array whose sets are lists, the most recent line first. Of
// plru it asks the tree by walking it from the root with a recursion.
type dumbCache struct {
	c    CacheConfig
	sets map[uint32][]uint32 // lru: keys by recency
	line map[uint32][]uint32 // plru: key + 1 by way
	away map[[3]uint32]bool  // plru: set, low, high of a fork: the way to go is right
}

func newDumbCache(c CacheConfig) *dumbCache {
	return &dumbCache{c, map[uint32][]uint32{}, map[uint32][]uint32{}, map[[3]uint32]bool{}}
}

// fill returns the key that goes, if one does.
func (d *dumbCache) fill(set, k uint32) (evicted uint32, was bool) {
	if d.c.Replace == "plru" {
		return d.fillTree(set, k)
	}
	if !d.touch(set, k) {
		if len(d.sets[set]) == int(d.c.Ways) {
			evicted, was = d.sets[set][d.c.Ways-1], true
			d.drop(set, evicted)
		}
		d.sets[set] = append([]uint32{k}, d.sets[set]...)
	}
	return evicted, was
}

func (d *dumbCache) touch(set, k uint32) bool {
	if d.c.Replace == "plru" {
		for way, tag := range d.ways(set) {
			if tag == k+1 {
				d.turn(set, uint32(way), 0, d.c.Ways)
				return true
			}
		}
		return false
	}
	if !d.drop(set, k) {
		return false
	}
	d.sets[set] = append([]uint32{k}, d.sets[set]...)
	return true
}

func (d *dumbCache) drop(set, k uint32) bool {
	for n, held := range d.sets[set] {
		if held == k {
			d.sets[set] = append(append([]uint32{}, d.sets[set][:n]...), d.sets[set][n+1:]...)
			return true
		}
	}
	for way, tag := range d.line[set] {
		if tag == k+1 {
			d.line[set][way] = 0
			return true
		}
	}
	return false
}

func (d *dumbCache) ways(set uint32) []uint32 {
	if d.line[set] == nil {
		d.line[set] = make([]uint32, d.c.Ways)
	}
	return d.line[set]
}

func (d *dumbCache) fillTree(set, k uint32) (evicted uint32, was bool) {
	if d.touch(set, k) {
		return 0, false
	}
	for way, tag := range d.ways(set) {
		if tag == 0 {
			d.line[set][way] = k + 1
			d.turn(set, uint32(way), 0, d.c.Ways)
			return 0, false
		}
	}
	low, high := uint32(0), d.c.Ways
	for high-low > 1 {
		if middle := (low + high) / 2; d.away[[3]uint32{set, low, high}] {
			low = middle
		} else {
			high = middle
		}
	}
	evicted = d.line[set][low] - 1
	d.line[set][low] = k + 1
	d.turn(set, low, 0, d.c.Ways)
	return evicted, true
}

// turn makes the forks between low and high point away from a way.
func (d *dumbCache) turn(set, way, low, high uint32) {
	if high-low == 1 {
		return
	}
	middle := (low + high) / 2
	d.away[[3]uint32{set, low, high}] = way < middle
	if way < middle {
		d.turn(set, way, low, middle)
	} else {
		d.turn(set, way, middle, high)
	}
}
