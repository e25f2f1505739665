package replay

import (
	"bytes"
	"os"
	"testing"
	"time"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"github.com/gopacket/gopacket/pcapgo"
)

// A frame is one record of a capture, to be changed.
type frame struct {
	at     int64 // ns since 1970
	data   []byte
	length int // on the link, if it is more than the data
}

// framesOf returns the frames of a pcap file, as far as it can be read; ok is
// false where it has not even a head.
func framesOf(file []byte) (list []*frame, ok bool) {
	r, err := pcapgo.NewReader(bytes.NewReader(file))
	if err != nil {
		return nil, false
	}
	for {
		data, info, err := r.ReadPacketData()
		if err != nil {
			return list, true
		}
		list = append(list, &frame{info.Timestamp.UnixNano(), data, info.Length})
	}
}

// synthetic returns the frames of the capture that has a bit of everything.
func synthetic(t testing.TB) []*frame {
	t.Helper()
	data, err := os.ReadFile("testdata/synthetic_rc_ops.pcap")
	if err != nil {
		t.Fatal(err)
	}
	list, _ := framesOf(data)
	return list
}

// pcap writes frames as a capture of nanoseconds, or of microseconds.
func pcap(t testing.TB, frames []*frame, nanos bool) []byte {
	t.Helper()
	var b bytes.Buffer
	w := pcapgo.NewWriter(&b)
	if nanos {
		w = pcapgo.NewWriterNanos(&b)
	}
	if err := w.WriteFileHeader(256<<10, layers.LinkTypeEthernet); err != nil {
		t.Fatal(err)
	}
	for _, f := range frames {
		info := gopacket.CaptureInfo{Timestamp: time.Unix(0, f.at), CaptureLength: len(f.data), Length: max(f.length, len(f.data))}
		if err := w.WritePacket(info, f.data); err != nil {
			t.Fatal(err)
		}
	}
	return b.Bytes()
}
