package host

import "encoding/binary"

// find returns the block of pa, nil when no line of it was ever kept. It is
// good until the next add.
func (m *Memory) find(pa uint64) *block {
	key := pa>>blockShift + 1
	blocks := m.blocks
	if b := &blocks[m.last]; b.key == key {
		return b
	}
	mask := len(blocks) - 1
	for i := m.slot(key) & mask; ; i = (i + 1) & mask {
		b := &blocks[i]
		if b.key == key {
			m.last = i
			return b
		}
		if b.key == 0 {
			return nil
		}
	}
}

// add makes the block of pa, which is not there, with all lines as filled.
func (m *Memory) add(pa uint64) *block {
	if m.used >= len(m.blocks)/4*3 {
		m.purge()
	}
	key := pa>>blockShift + 1
	mask := len(m.blocks) - 1
	i := m.slot(key)
	for m.blocks[i].key != 0 {
		i = (i + 1) & mask
	}
	m.blocks[i].key = key
	m.used++
	m.last = i
	return &m.blocks[i]
}

// slot is where the search for key begins: Fibonacci hashing keeps runs of
// neighbours apart.
func (m *Memory) slot(key uint64) int {
	return int(key * 0x9E3779B97F4A7C15 >> (m.shift & 63))
}

// purge forgets the blocks that a fill has emptied and makes the index larger
// if that does not give room enough.
func (m *Memory) purge() {
	live := 0
	for i := range m.blocks {
		if m.blocks[i].lines != [blockLines]line{} {
			live++
		}
	}
	size := len(m.blocks)
	for live >= size/2 {
		size *= 2
	}
	m.resize(size)
}

// resize moves the blocks that hold something into an index of n entries.
func (m *Memory) resize(n int) {
	old := m.blocks
	m.blocks = make([]block, n)
	m.used, m.last, m.shift = 0, 0, 64
	for ; n > 1; n /= 2 {
		m.shift--
	}
	for i := range old {
		if old[i].key != 0 && old[i].lines != [blockLines]line{} {
			m.add((old[i].key - 1) << blockShift).lines = old[i].lines
		}
	}
}

// chunkLines is how many lines the pool takes from the runtime at once.
const chunkLines = 1 << 12

// A pool keeps lines of mixed bytes. Places of lines given back are chained
// through their own first bytes.
type pool struct {
	chunks []*[chunkLines][LineBytes]byte
	taken  line // places ever handed out
	spare  line // first of the chain, 0 none
}

func (p *pool) at(l line) *[LineBytes]byte {
	l--
	return &p.chunks[l/chunkLines][l%chunkLines]
}

func (p *pool) take() line {
	if l := p.spare; l != 0 {
		p.spare = line(binary.LittleEndian.Uint32(p.at(l)[:]))
		return l
	}
	if int(p.taken) == len(p.chunks)*chunkLines {
		p.chunks = append(p.chunks, new([chunkLines][LineBytes]byte))
	}
	p.taken++
	return p.taken
}

// free takes l back if it is a place of the pool.
func (p *pool) free(l line) {
	if !l.stored() {
		return
	}
	binary.LittleEndian.PutUint32(p.at(l)[:], uint32(p.spare))
	p.spare = l
}
