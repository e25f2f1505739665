package talk

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"github.com/gopacket/gopacket/pcapgo"

	"hcasim/whole"
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
	switch {
	case err != nil && !errors.Is(err, io.EOF):
		return nil, fmt.Errorf("the file cannot be read: %w", whole.Reason(err))
	case len(magic) == 0:
		return nil, errors.New("the file is empty")
	case err != nil:
		return nil, fmt.Errorf("no capture: the file ends after %d bytes", len(magic))
	}
	for _, c := range compressed {
		if string(magic[:len(c.magic)]) == c.magic {
			return nil, fmt.Errorf("the file is compressed: %s it first", c.tool)
		}
	}
	f := &frames{meter: m}
	switch string(magic) {
	case "\x0a\x0d\x0d\x0a":
		ng, err := pcapgo.NewNgReader(&blocks{r: b}, pcapgo.NgReaderOptions{WantMixedLinkType: true, SkipUnknownVersion: true})
		if err != nil {
			return nil, fmt.Errorf("the head of this pcapng file is broken: %w; %s", told(err), damaged)
		}
		f.source = ng
	case "\xa1\xb2\xc3\xd4", "\xd4\xc3\xb2\xa1", "\xa1\xb2\x3c\x4d", "\x4d\x3c\xb2\xa1":
		p, err := pcapgo.NewReader(b)
		if err != nil {
			return nil, fmt.Errorf("the head of this pcap file is broken: %w; %s", told(err), damaged)
		}
		p.SetSnaplen(mostFrame)
		f.source, f.link = p, p.LinkType()
	default:
		return nil, fmt.Errorf("neither pcap nor pcapng: it begins with % x; if it is another tool's capture, editcap -F pcapng makes one of it", magic)
	}
	return f, nil
}

// damaged says what to do about a file that is not as it was written.
const damaged = "copy it again, or capture anew"

// compressed files begin so, and are unpacked with this.
var compressed = []struct{ magic, tool string }{
	{"\x1f\x8b", "gunzip"}, {"\x28\xb5\x2f\xfd", "unzstd"}, {"\xfd7zX", "unxz"}, {"BZh", "bunzip2"},
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
		return nil, fmt.Errorf("frame %d: %w; %s", f.n+1, told(err), damaged)
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
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return errCut
	}
	return whole.Reason(err)
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
