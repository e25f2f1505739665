package host

// lines are the lines of a table written out one by one: in four bytes each as
// long as they fit, which they do below 256 GiB of physical memory.
type lines struct {
	narrow *[tablePages]uint32
	wide   *[tablePages]pte
}

// narrowFlags is how many low bits of a line are flags in use.
const narrowFlags = 6

// fits reports whether a line can be kept in four bytes.
func (e pte) fits() bool { return e>>frameShift < 1<<(32-narrowFlags) && e&flags>>narrowFlags == 0 }

func (e pte) pack() uint32 { return uint32(e>>frameShift<<narrowFlags | e&flags) }

func unpack(v uint32) pte {
	return pte(v>>narrowFlags)<<frameShift | pte(v&(1<<narrowFlags-1))
}

func (l *lines) at(j uint64) pte {
	if l.narrow != nil {
		return unpack(l.narrow[j])
	}
	return l.wide[j]
}

// alike returns how many lines from at on, before end, have the flags of e.
func (l *lines) alike(at, end uint64, e pte) (n uint64) {
	if l.narrow != nil {
		for n < end-at && (unpack(l.narrow[at+n])^e)&flags == 0 {
			n++
		}
		return n
	}
	for n < end-at && (l.wide[at+n]^e)&flags == 0 {
		n++
	}
	return n
}

func (l *lines) set(j uint64, e pte) {
	switch {
	case l.wide != nil:
		l.wide[j] = e
	case e.fits():
		l.narrow[j] = e.pack()
	default:
		l.wide = new([tablePages]pte)
		for k, v := range l.narrow {
			l.wide[k] = unpack(v)
		}
		l.narrow, l.wide[j] = nil, e
	}
}
