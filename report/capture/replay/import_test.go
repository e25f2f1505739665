package replay

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"os"
	"strings"
	"testing"

	"hcasim/ib"
	"hcasim/scenario"
)

var options = Options{Name: "test", File: "test.pcap", Limits: DefaultLimits}

// read imports a capture that must be understood, and holds the scenario to be
// one.
func read(t *testing.T, capture []byte) *Import {
	t.Helper()
	m, err := Read(bytes.NewReader(capture), options)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := scenario.Read("test.yaml", m.Text(nil), scenario.Options{}); err != nil {
		t.Fatalf("%v\n%s", err, m.Text(nil))
	}
	return m
}

// body is a scenario without its head.
func body(m *Import) string {
	_, b, _ := strings.Cut(string(m.Text(nil)), "\nversion: 1\n")
	return b
}

// has holds a scenario to have lines.
func has(t *testing.T, text string, lines ...string) {
	t.Helper()
	for _, l := range lines {
		if !strings.Contains(text, l) {
			t.Errorf("no %q in %d bytes", l, len(text))
		}
	}
}

func TestSynthetic(t *testing.T) {
	m := read(t, pcap(t, synthetic(t), true))
	has(t, string(m.Text(nil)),
		"37 frames: 37 used, 0 not", "hosts: A is 10.0.0.1, B is 10.0.0.2",
		"fr:\n      ra: {pd: p1, pages: 1, key: 0x00000a05}",                                                   // it dies by SEND_WITH_INV
		"rb: {pd: p2, buf: m1, offset: 0, length: 4KiB, access: [LOCAL_WRITE, REMOTE_WRITE], key: 0x00000b00}", // no more than it was used for
		"q3: {pd: p1, peer: B.q3, qpn: 0x13, mtu: 1024, psn: 16777215}",
		"opcode: RDMA_WRITE, sge: [], remote: {addr: 0xdead, key: 0xffffff00}", // of no bytes: no key is looked at
		"opcode: ATOMIC_CMP_AND_SWP, sge: [{mr: sink_p1, length: 8}], remote: {addr: 0x7f0000001008, key: 0x00000a05}, compare: 46, swap: 7}",
		"send_flags: [SOLICITED]", "imm: 0xcafe0001", "invalidate: 0x00000a05",
		"expect: {wc: REM_ACCESS_ERR, nak: NAK_REMOTE_ACCESS_ERROR}", "expect: {wc: REM_INV_REQ_ERR, nak: NAK_INVALID_REQUEST}",
		"expect: {wc: REM_OP_ERR, nak: NAK_REMOTE_OPERATIONAL_ERROR}",
		"at: 408.02us, post_recv: [{qp: q1, sge: [{mr: sink_p1, length: 64B}]}", // between the RNR NAK and the SEND that is answered
		"min_rnr_timer: 12",
	)
}

// Foreign frames change nothing but the counts, and neither does a VLAN tag, a
// trailer, or time in microseconds.
func TestForeign(t *testing.T) {
	frames := synthetic(t)
	want := body(read(t, pcap(t, frames, true)))
	var mixed []*frame
	for i, f := range frames {
		tagged := append(bytes.Clone(f.data[:12]), 0x81, 0, 0, 7)
		tagged = append(append(tagged, f.data[12:]...), 0xde, 0xad, 0xbe, 0xef) // and a checksum behind it
		mixed = append(mixed, &frame{at: f.at, data: tagged}, foreignFrame(i, f))
	}
	m := read(t, pcap(t, mixed, true))
	if got := body(m); got != want {
		t.Errorf("among foreign frames it is\n%s\nand not\n%s", got, want)
	}
	has(t, strings.Join(m.Report(), "\n"), "74 frames: 37 used, 37 not",
		"ARP", "TCP", "UDP to other ports", "fragments of IP", "tunnels", "cut short by the capture's snap length", "ICRC wrong", "RoCEv1", "malformed", "congestion notifications",
		"its ICRC is wrong; not used (t = ", "the checksum of its IPv4 header is wrong")
	if m := read(t, pcap(t, frames, false)); !strings.Contains(body(m), "key: 0x00000a05") {
		t.Error("microseconds are not read")
	}
}

// foreignFrame makes something else of a frame.
func foreignFrame(i int, f *frame) *frame {
	d := bytes.Clone(f.data)
	out := &frame{at: f.at, data: d}
	ip := func(at int, b ...byte) { // with the right checksum
		copy(d[14+at:], b)
		d[24], d[25] = 0, 0
		binary.BigEndian.PutUint16(d[24:], ib.IPv4Checksum(d[14:34]))
	}
	switch i % 11 {
	case 0:
		d[12], d[13] = 8, 6 // ARP
	case 1:
		ip(9, 6) // TCP
	case 2:
		binary.BigEndian.PutUint16(d[36:], 53)
	case 3:
		ip(6, 0x20, 0) // more fragments
	case 4:
		binary.BigEndian.PutUint16(d[36:], 4789)
	case 5:
		out.data, out.length = d[:50], len(d)
	case 6:
		d[len(d)-1] ^= 1
	case 7:
		d[12], d[13] = 0x89, 0x15
	case 8:
		d[24] ^= 1
	case 9:
		d[14] = 0x4F // a header longer than the packet says
	case 10:
		d[42] = byte(ib.CongestionNotified)
		d = append(d[:54], make([]byte, 20)...)
		ip(2, 0, 20+8+12+16+4)
		binary.BigEndian.PutUint16(d[38:], 8+12+16+4)
		sum, _ := ib.ICRC(d[14 : len(d)-4])
		binary.LittleEndian.PutUint32(d[len(d)-4:], sum)
		out.data = d
	}
	return out
}

// A READ that was seen on a real adapter, with the ICRC that it computed.
func TestRealFrame(t *testing.T) {
	text, err := os.ReadFile("../../../ib/testdata/frames.hex")
	if err != nil {
		t.Fatal(err)
	}
	var list []*frame
	for _, line := range strings.Split(string(text), "\n") {
		if fields := strings.Fields(line); len(fields) == 2 && fields[0][0] == 'v' && fields[0] != "v1-write" && fields[0] != "v1-ack" {
			d, err := hex.DecodeString(fields[1])
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, &frame{at: 1, data: d})
		}
	}
	if len(list) == 0 {
		t.Fatal("no frame of RoCEv2")
	}
	m := read(t, pcap(t, list, true))
	has(t, string(m.Text(nil)), "1 frames: 1 used", "opcode: RDMA_READ", "no answer to ", "its number is not in the capture")
}

// One direction only: the other numbers are chosen, and said to be.
func TestOneDirection(t *testing.T) {
	var list []*frame
	for _, f := range synthetic(t)[:5] {
		if f.data[29] == 1 { // from 10.0.0.1
			list = append(list, f)
		}
	}
	m := read(t, pcap(t, list, true))
	has(t, string(m.Text(nil)), "its number is not in the capture: a free one", "all is taken as granted, no completion is expected")
	if strings.Contains(body(m), "expect") {
		t.Error("it expects what nobody saw")
	}
}

// More than two hosts: asked for, and taken by name.
func TestManyHosts(t *testing.T) {
	frames := synthetic(t)
	for _, f := range synthetic(t)[:2] {
		d := bytes.Clone(f.data)
		for _, at := range []int{29, 33} {
			if d[at] == 2 {
				d[at] = 10
			}
		}
		d[24], d[25] = 0, 0
		binary.BigEndian.PutUint16(d[24:], ib.IPv4Checksum(d[14:34]))
		sum, _ := ib.ICRC(d[14 : len(d)-4])
		binary.LittleEndian.PutUint32(d[len(d)-4:], sum)
		frames = append(frames, &frame{at: f.at, data: d})
	}
	file := pcap(t, frames, true)
	_, err := Read(bytes.NewReader(file), options)
	if err == nil || !strings.Contains(err.Error(), "2 pairs of hosts; --hosts chooses one:\n  --hosts 10.0.0.1,10.0.0.2") {
		t.Fatalf("error %v", err)
	}
	o := options
	o.Hosts = [2]string{"10.0.0.10", "10.0.0.1"}
	m, err := Read(bytes.NewReader(file), o)
	if err != nil {
		t.Fatal(err)
	}
	has(t, strings.Join(m.Report(), "\n"), "39 frames: 2 used, 37 not", "37 of other hosts")
	o.Hosts[0] = "10.0.0.3"
	if _, err = Read(bytes.NewReader(file), o); err == nil || !strings.Contains(err.Error(), "between 10.0.0.3 and 10.0.0.1; there are 2 pairs") {
		t.Errorf("error %v", err)
	}
}

// What is no capture, or has nothing to import, or too much.
func TestRefused(t *testing.T) {
	good := pcap(t, synthetic(t), true)
	var foreign []*frame
	for i, f := range synthetic(t)[:4] {
		foreign = append(foreign, foreignFrame(i, f))
	}
	few := options
	few.Limits.Frames = 10
	small := options
	small.Limits.Payload = 100
	huge := bytes.Clone(good[:40])
	binary.LittleEndian.PutUint32(huge[32:], 1<<31-1)
	binary.LittleEndian.PutUint32(huge[36:], 1<<31-1)
	for what, c := range map[string]struct {
		file []byte
		o    Options
		want string
	}{
		"empty":         {nil, options, "the file is empty"},
		"short":         {good[:3], options, "the file ends after 3 bytes"},
		"text":          {[]byte("version: 1\nkind: scenario"), options, "neither pcap nor pcapng: it begins with 76 65 72 73"},
		"compressed":    {[]byte{0x1f, 0x8b, 8, 0}, options, "gunzip it first"},
		"broken pcapng": {[]byte{0x0a, 0x0d, 0x0d, 0x0a, 0, 0}, options, "the head of this pcapng file is broken"},
		"no frames":     {good[:24], options, "the capture has no frame"},
		"cut":           {good[:50], options, "frame 1: the file ends inside it"},
		"a huge frame":  {huge, options, "frame 1: "},
		"foreign":       {pcap(t, foreign, true), options, "no packet of RoCEv2 or InfiniBand to use among its 4 frames: 1 ARP, 1 TCP, 1 UDP to other ports, 1 fragments of IP"},
		"many frames":   {good, few, "more than 10 frames: --max-frames takes more"},
		"much payload":  {good, small, "--max-payload takes more"},
	} {
		if _, err := Read(bytes.NewReader(c.file), c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", what, err, c.want)
		}
	}
	m, err := Read(bytes.NewReader(good[:len(good)-5]), options)
	if err != nil {
		t.Fatal(err)
	}
	has(t, strings.Join(m.Report(), "\n"), "frame 37: the file ends inside it; what stands before it is used")
}

// A capture whose clock jumped is refused: its times would be those of nothing.
func TestDays(t *testing.T) {
	frames := synthetic(t)
	late := frames[len(frames)-1]
	late.at = frames[0].at + 49*day
	if text := string(read(t, pcap(t, frames, true)).Text(nil)); !strings.Contains(text, "run: {until: 8467") {
		t.Error("49 days give no scenario of twice as many")
	}
	late.at += day
	_, err := Read(bytes.NewReader(pcap(t, frames, true)), options)
	if err == nil || !strings.Contains(err.Error(), "frame 37 is 50 days behind frame 1; a scenario takes less than 50 days") {
		t.Errorf("error %v", err)
	}
}

// Data beyond the limit are zeros, and said to be.
func TestDataLimit(t *testing.T) {
	o := options
	o.Limits.Data = 100
	m, err := Read(bytes.NewReader(pcap(t, synthetic(t), true)), o)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := scenario.Read("test.yaml", m.Text(nil), scenario.Options{}); err != nil {
		t.Fatal(err)
	}
	has(t, strings.Join(m.Report(), "\n"), "requests of host A pass the limit of data (--max-data); zeros stand for them")
	if n := len(m.Text(nil)); n > 8000 {
		t.Errorf("%d bytes all the same", n)
	}
}
