package capture

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"github.com/gopacket/gopacket/pcapgo"

	"hcasim/sim"
)

// Link types (https://www.tcpdump.org/linktypes.html).
const (
	linkEthernet = 1
	linkERF      = 197 // native InfiniBand: Wireshark reads it in no other form
	linkUpper    = 252 // Wireshark's own: the dissector stands in the packet
)

// held is how many frames wait for earlier ones and for words about them,
// before the older half of them is written.
const held = 1 << 16

// A frame is one packet of a file.
type frame struct {
	at      sim.Time
	iface   int
	data    []byte
	length  int      // on the link; data may be its beginning
	words   []string // of the comment
	op      uint32   // wire: the model's number of the op
	request bool     // wire: not an answer
	end     int      // wire: which host sent it
}

// A file is a pcapng file that is being written.
type file struct {
	w      *pcapgo.NgWriter
	ifaces []pcapgo.NgInterface
	frames []frame
	err    error
}

// about is what the section says of itself.
func newFile(about string, ifaces []pcapgo.NgInterface, to io.Writer) (*file, error) {
	options := pcapgo.NgWriterOptions{SectionInfo: pcapgo.NgSectionInfo{Application: "hcasim", Comment: about}}
	w, err := pcapgo.NewNgWriterInterface(to, ifaces[0], options)
	if err != nil {
		return nil, err
	}
	for _, i := range ifaces[1:] {
		if _, err := w.AddInterface(i); err != nil {
			return nil, err
		}
	}
	return &file{w: w, ifaces: ifaces}, nil
}

// link describes an interface.
func link(name, about string, kind int) pcapgo.NgInterface {
	return pcapgo.NgInterface{Name: name, Description: about, LinkType: layers.LinkType(kind), TimestampResolution: 9}
}

// add takes a frame.
func (f *file) add(fr frame) {
	if f.frames = append(f.frames, fr); len(f.frames) >= held {
		f.flush(held / 2)
	}
}

// flush writes the n oldest frames.
func (f *file) flush(n int) {
	slices.SortStableFunc(f.frames, func(a, b frame) int { return cmp.Compare(a.at, b.at) })
	for i := range f.frames[:n] {
		if f.err == nil {
			f.err = f.write(&f.frames[i])
		}
	}
	rest := copy(f.frames, f.frames[n:])
	clear(f.frames[rest:])
	f.frames = f.frames[:rest]
}

func (f *file) write(fr *frame) error {
	info := gopacket.CaptureInfo{
		Timestamp: time.Unix(0, int64(fr.at/1000)).UTC(), CaptureLength: len(fr.data), Length: fr.length, InterfaceIndex: fr.iface,
	}
	return f.w.WritePacketWithOptions(info, fr.data, pcapgo.NgPacketOptions{Comments: []string{strings.Join(fr.words, " · ")}})
}

// close writes all that is left.
func (f *file) close() error {
	f.flush(len(f.frames))
	if f.err == nil {
		f.err = f.w.Flush()
	}
	return f.err
}

// last returns the newest frame that f asks for, nil if it is gone.
func (f *file) last(wanted func(*frame) bool) *frame {
	for i := len(f.frames) - 1; i >= 0; i-- {
		if wanted(&f.frames[i]) {
			return &f.frames[i]
		}
	}
	return nil
}

// exact writes an instant with its picoseconds, in nanoseconds.
func exact(t sim.Time) string {
	return fmt.Sprintf("t = %d.%03d ns", uint64(t)/1000, uint64(t)%1000)
}
