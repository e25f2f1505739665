package capture

import (
	"bytes"
	"encoding/binary"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gopacket/gopacket/pcapgo"

	"hcasim/ib"
	"hcasim/scenario"
	"hcasim/scenario/run"
	"hcasim/wire"
)

// shown is what the tap showed of a packet, to hold the frame to.
type shown struct {
	headers ib.Headers
	payload []byte
	spoiled bool
}

// captureOf runs the scenarios of a file, and returns a capture of each with
// what the wire carried.
func captureOf(t *testing.T, file, kind string, sets ...string) (files [][]byte, packets [][]shown) {
	t.Helper()
	runs, err := scenario.Load(file, scenario.Options{Sets: sets})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range runs {
		var out bytes.Buffer
		var rec *Recorder
		var seen []shown
		if _, err := r.DoWatched(func(v *run.View) {
			if rec, err = Watch(v, kind, r.Name, &out); err != nil {
				t.Fatal(err)
			}
			v.Link.Tap.Watch(func(p *wire.Packet) {
				seen = append(seen, shown{p.Headers, bytes.Clone(p.Payload), p.BadICRC || p.Fate == wire.Corrupted})
			})
		}); err != nil {
			t.Fatal(err)
		}
		if err := rec.Close(); err != nil {
			t.Fatal(err)
		}
		files, packets = append(files, out.Bytes()), append(packets, seen)
	}
	return files, packets
}

// readAll reads a capture with another reader than the writer's.
func readAll(t *testing.T, file []byte) (frames [][]byte, comments []string) {
	t.Helper()
	r, err := pcapgo.NewNgReader(bytes.NewReader(file), pcapgo.NgReaderOptions{WantMixedLinkType: true})
	if err != nil {
		t.Fatal(err)
	}
	last := int64(0)
	for {
		data, info, options, err := r.ReadPacketDataWithOptions()
		if err == io.EOF {
			return frames, comments
		}
		if err != nil {
			t.Fatal(err)
		}
		if now := info.Timestamp.UnixNano(); now < last {
			t.Errorf("frame %d is earlier than the one before: %d ns after %d ns (C1)", len(frames)+1, now, last)
		} else {
			last = now
		}
		frames, comments = append(frames, data), append(comments, strings.Join(options.Comments, ""))
	}
}

// TestWire holds the frames of all verbs, faults and losses to what the model
// had on its wire: headers, bytes, lengths, checksums (C2), on all protocols.
func TestWire(t *testing.T) {
	files, err := filepath.Glob("../../scenarios/[vf]*/*.yaml")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, protocol := range []string{"ib", "roce_v4", "roce_v6"} {
		total := 0
		for _, file := range files {
			if strings.Contains(file, "validation") {
				continue
			}
			captures, packets := captureOf(t, file, "wire", "wire.protocol="+protocol)
			for i := range captures {
				frames, _ := readAll(t, captures[i])
				if len(frames) != len(packets[i]) {
					t.Errorf("%s: %d frames of %d packets", file, len(frames), len(packets[i]))
					continue
				}
				total += len(frames)
				for k := range frames {
					checkFrame(t, protocol, frames[k], &packets[i][k])
				}
			}
		}
		if total < 500 {
			t.Errorf("%s: only %d frames were looked at", protocol, total)
		}
	}
}

func checkFrame(t *testing.T, protocol string, f []byte, p *shown) {
	t.Helper()
	icrc, transport := uint32(0), 0
	end := len(f)
	switch protocol {
	case "ib":
		if n := int(binary.BigEndian.Uint16(f[10:])); n != len(f) || f[8] != erfInfiniBand {
			t.Fatalf("an ERF record of %d bytes, type %d, says %d", len(f), f[8], n)
		}
		f = f[16:]
		end = len(f) - 2
		if got, want := binary.LittleEndian.Uint16(f[end:]), ib.VCRC(f[:end]); got != want {
			t.Errorf("VCRC %#x, want %#x", got, want)
		}
		if words := int(binary.BigEndian.Uint16(f[4:])) * 4; words != end {
			t.Errorf("LRH says %d bytes of %d", words, end)
		}
		icrc, _ = ib.NativeICRC(f[:end-4])
		transport = ib.LRHBytes
	default:
		var err error
		if icrc, err = ib.ICRC(f[ib.EthernetBytes : end-4]); err != nil {
			t.Fatal(err)
		}
		network := ib.IPv4Bytes
		length := int(binary.BigEndian.Uint16(f[16:])) + ib.EthernetBytes
		if protocol == "roce_v6" {
			network = ib.IPv6Bytes
			length = int(binary.BigEndian.Uint16(f[18:])) + ib.IPv6Bytes + ib.EthernetBytes
		}
		if length != len(f) {
			t.Errorf("IP says %d bytes of %d", length, len(f))
		}
		transport = ib.EthernetBytes + network + ib.UDPBytes
	}
	if got := binary.LittleEndian.Uint32(f[end-4:]); (got == icrc) == p.spoiled {
		t.Errorf("ICRC %#x, computed %#x, spoiled: %t", got, icrc, p.spoiled)
	}
	h, payload, err := ib.Decode(f[transport : end-4])
	if err != nil {
		t.Fatal(err)
	}
	h.BTH.Pad, p.headers.BTH.Pad = 0, 0
	// What its opcode has no header for, a packet may have and a frame has not.
	if !bytes.Equal(h.Append(nil), p.headers.Append(nil)) || !bytes.Equal(payload, p.payload) {
		t.Errorf("the frame has %+v and %d bytes, the packet %+v and %d", h, len(payload), p.headers, len(p.payload))
	}
}

// TestComments finds in the comments the op and the rule, and where the fault
// was answered.
func TestComments(t *testing.T) {
	files, _ := captureOf(t, "../../scenarios/quickstart.yaml", "wire")
	_, comments := readAll(t, files[0])
	for i, want := range map[int][]string{
		0: {"op 3 ", "line 20", "client IBV_WR_RDMA_WRITE", "on buf", "t = 40508.000 ns"},
		2: {"op 4 ", "refused at server, cause bad-key, rule KEY-2"},
		3: {"answers: refused at server, cause bad-key, rule KEY-2"},
	} {
		for _, w := range want {
			if !strings.Contains(comments[i]+" ", w) {
				t.Errorf("frame %d: %q has no %q", i+1, comments[i], w)
			}
		}
	}
}

// TestAll has the wire and both hosts' PCIe in one file and one order of time,
// and says of every TLP what it is for.
func TestAll(t *testing.T) {
	files, packets := captureOf(t, "../../scenarios/quickstart.yaml", "all")
	frames, comments := readAll(t, files[0])
	onWire := 0
	for i, c := range comments {
		switch {
		case !strings.Contains(c, "t = "):
			t.Errorf("frame %d of %d bytes: %q has no time", i+1, len(frames[i]), c)
		case strings.Contains(c, "IBV_WR_RDMA_WRITE · on buf · t = "):
			onWire++
		}
	}
	if onWire != len(packets[0]) {
		t.Errorf("%d frames of the wire, %d packets", onWire, len(packets[0]))
	}
	all := strings.Join(comments, "\n")
	for _, what := range []string{"doorbell", "WQE fetch", "gather", "CQE", "MPT entry", "MTT entries", "context of queue pair", "command", "place", "write-back"} {
		if !strings.Contains(all, what) {
			t.Errorf("no TLP is a %s:\n%s", what, all)
		}
	}
}

// TestHeld writes more frames than are held back: all are there, in order
// (C1, C4).
func TestHeld(t *testing.T) {
	if testing.Short() {
		t.Skip("writes 100,000 frames")
	}
	name := filepath.Join(t.TempDir(), "many.yaml")
	text, err := os.ReadFile("../../scenarios/bench/write-64-d64.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, text, 0o600); err != nil {
		t.Fatal(err)
	}
	files, packets := captureOf(t, name, "wire", "vars.n=50000")
	frames, _ := readAll(t, files[0])
	if len(frames) != len(packets[0]) || len(frames) <= held {
		t.Errorf("%d frames of %d packets; %d are held", len(frames), len(packets[0]), held)
	}
}
