package talk

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"github.com/gopacket/gopacket/pcapgo"
)

// mostFrame is the longest frame that is taken: no link carries longer ones.
const mostFrame = 256 << 10

// betweenFrames is how far the next frame may be: other blocks of pcapng are
// read over up to here.
const betweenFrames = 16 << 20

// A frame is one record of a file.
type frame struct {
	number int   // from 1, as Wireshark counts
	at     int64 // ns since 1970, or of the clock of whoever captured
	data   []byte
	length int // on the link; data may be its beginning
	link   layers.LinkType
}

// A source gives the records of a file.
type source interface {
	ReadPacketData() (data []byte, ci gopacket.CaptureInfo, err error)
}

// open reads the head of a file.
func open(r io.Reader) (*frames, error) {
	m := &meter{r: r, left: betweenFrames}
	b := bufio.NewReader(m)
	magic, err := b.Peek(4)
	if err != nil {
		if len(magic) == 0 && errors.Is(err, io.EOF) {
			return nil, errors.New("the file is empty")
		}
		return nil, fmt.Errorf("no capture: the file ends after %d bytes", len(magic))
	}
	f := &frames{meter: m}
	switch {
	case magic[0] == 0x1f && magic[1] == 0x8b:
		return nil, errors.New("the file is compressed: gunzip it first")
	case bytes.Equal(magic, []byte{0x0a, 0x0d, 0x0d, 0x0a}):
		ng, err := pcapgo.NewNgReader(b, pcapgo.NgReaderOptions{WantMixedLinkType: true, SkipUnknownVersion: true})
		if err != nil {
			return nil, fmt.Errorf("the head of this pcapng file is broken: %w", err)
		}
		f.source = ng
	default:
		p, err := pcapgo.NewReader(b)
		if err != nil {
			return nil, fmt.Errorf("neither pcap nor pcapng: it begins with % x", magic)
		}
		p.SetSnaplen(mostFrame)
		f.source, f.link = p, p.LinkType()
	}
	return f, nil
}

// frames are the records of a file, one after another.
type frames struct {
	source source
	meter  *meter
	link   layers.LinkType // pcap: of all
	n      int
}

// next returns the next record; io.EOF behind the last.
func (f *frames) next() (*frame, error) {
	f.meter.left = betweenFrames
	data, ci, err := f.source.ReadPacketData()
	switch {
	case errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF):
		return nil, io.EOF
	case err != nil:
		return nil, fmt.Errorf("frame %d: %w", f.n+1, told(err))
	}
	f.n++
	if len(data) > mostFrame {
		return nil, fmt.Errorf("frame %d has %d bytes; the longest that is taken has %d", f.n, len(data), mostFrame)
	}
	fr := &frame{number: f.n, data: data, length: ci.Length, link: f.link}
	t := ci.Timestamp
	if s := t.Unix(); s >= 0 && s < math.MaxInt64/1_000_000_000 {
		fr.at = t.UnixNano()
	}
	if len(ci.AncillaryData) > 0 {
		fr.link, _ = ci.AncillaryData[0].(layers.LinkType)
	}
	return fr, nil
}

// told says of a file that ends too early what that means.
func told(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return errCut
	}
	return err
}

var errCut = errors.New("the file ends inside it")

// A meter lets so much be read, and no more: a length in a file is no promise
// that the bytes are there.
type meter struct {
	r    io.Reader
	left int
}

func (m *meter) Read(p []byte) (int, error) {
	if m.left <= 0 {
		return 0, fmt.Errorf("%d MiB and no whole frame among them", betweenFrames>>20)
	}
	n, err := m.r.Read(p[:min(len(p), m.left)])
	m.left -= n
	return n, err
}
