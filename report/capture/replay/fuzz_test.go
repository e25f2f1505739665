package replay

import (
	"bytes"
	"encoding/binary"
	"os"
	"testing"

	"hcasim/ib"
	"hcasim/report/capture/talk"
	"hcasim/scenario"
)

// FuzzImport holds any file to K3 and Y2, and what is made of it to be a
// scenario. Few changes of a capture leave its checksums right, so they are
// mended where the fuzzer wants it.
func FuzzImport(f *testing.F) {
	data, err := os.ReadFile("testdata/synthetic_rc_ops.pcap")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data, false)
	frames := synthetic(f)
	for i := 0; i+3 < len(frames); i += 3 {
		f.Add(pcap(f, frames[i:i+4], true), true)
	}
	f.Fuzz(func(t *testing.T, file []byte, mended bool) {
		if mended {
			file = mend(t, file)
		}
		o := options
		o.Limits = Limits{talk.Limits{Frames: 200, Payload: 1 << 20}, 4 << 10}
		m, err := Read(bytes.NewReader(file), o)
		if err != nil {
			return
		}
		text := m.Text(nil)
		if again, err := Read(bytes.NewReader(file), o); err != nil || !bytes.Equal(again.Text(nil), text) {
			t.Fatalf("the same file gives another scenario, or %v", err)
		}
		if _, err := scenario.Read("fuzz.yaml", text, scenario.Options{}); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
	})
}

// mend makes the lengths and checksums of a capture's IPv4 frames right.
func mend(t *testing.T, file []byte) []byte {
	list, ok := framesOf(file)
	if !ok {
		return file
	}
	list = list[:min(200, len(list))]
	for _, f := range list {
		if d := f.data; len(d) > 14+20+8+12+4 && len(d) < 9000 {
			copy(d[12:], []byte{8, 0, 0x45})
			copy(d[20:], []byte{0x40, 0, 64, 17, 0, 0, 10, 0, 0, d[29] & 3, 10, 0, 0, d[33] & 3})
			binary.BigEndian.PutUint16(d[16:], uint16(len(d)-14))
			binary.BigEndian.PutUint16(d[24:], ib.IPv4Checksum(d[14:34]))
			binary.BigEndian.PutUint16(d[36:], ib.RoCEPort)
			binary.BigEndian.PutUint16(d[38:], uint16(len(d)-34))
			sum, _ := ib.ICRC(d[14 : len(d)-4])
			binary.LittleEndian.PutUint32(d[len(d)-4:], sum)
			f.length = len(d)
		}
	}
	return pcap(t, list, true)
}
