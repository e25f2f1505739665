package log

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func read(t *testing.T, name string) []Log {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	logs, problems := Read(name, text)
	if len(problems) > 0 {
		t.Fatalf("%s: %v", name, problems)
	}
	return logs
}

// TestLogs reads what perftest prints: both tables, old and new, with -D and
// --report_gbits, and its JSON.
func TestLogs(t *testing.T) {
	type value struct {
		row  int
		of   Quantity
		want float64
	}
	for _, c := range []struct {
		file, name string
		line, rows int
		bytes      uint64 // of the last row
		iterations uint64
		gbits      bool
		lasted     bool
		settings   string // name=value
		values     []value
		none       []Quantity
		unread     string
	}{
		{"write_lat.log", "write_lat", 3, 4, 4096, 1000, false, false, "Mtu=4096[B] Number of qps=1 Data ex. method=Ethernet rdma_cm QPs=OFF",
			[]value{{0, Min, 0.84}, {3, Typical, 1.88}, {3, Mean, 1.89}, {3, P99, 1.99}, {3, P999, 3.10}}, []Quantity{Average}, "$ ib_write_lat -a 10.0.0.1"},
		{"write_bw.log", "write_bw", 6, 2, 65536, 2000, false, false, "TX depth=64 GID index=3 Link type=Ethernet Device=mlx5_0",
			[]value{{0, Peak, 9500.11}, {1, Average, 10950.98}, {1, Messages, 0.175216}}, []Quantity{Typical}, "WARNING: BW peak won't be measured in this run."},
		{"send_bw_gbits.log", "send_bw", 2, 1, 2048, 2000, true, false, "RX depth=512 Connection type=UD",
			[]value{{0, Average, 92.1}}, []Quantity{Peak}, "column CPU_Util[%]"},
		{"read_lat_old.log", "", 1, 1, 2, 1000, false, false, "", []value{{0, Typical, 1.64}}, []Quantity{Mean, P99}, ""},
		{"atomic_lat_lasted.log", "atomic_lat", 2, 1, 8, 2841325, false, true, "Outstand reads=16",
			[]value{{0, Mean, 1.76}, {0, Rounds, 568265.01}}, []Quantity{Typical}, ""},
		{"write_bw.json", "write_bw", 1, 1, 65536, 5000, true, false, "Mtu=4096[B] tx depth=128 data ex. method=Ethernet",
			[]value{{0, Average, 96.31}, {0, Messages, 0.183697}}, nil, ""},
	} {
		l := read(t, c.file)[0]
		last := l.Rows[len(l.Rows)-1]
		if l.Name != c.name || l.Line != c.line || len(l.Rows) != c.rows || last.Bytes != c.bytes || last.Iterations != c.iterations || l.Gbits != c.gbits || l.Lasted != c.lasted {
			t.Errorf("%s: %s line %d, %d rows, last %d bytes %d iterations, gbits %v, lasted %v", c.file, l.Name, l.Line, len(l.Rows), last.Bytes, last.Iterations, l.Gbits, l.Lasted)
		}
		for rest := c.settings; rest != ""; {
			var name, value string
			name, rest, _ = strings.Cut(rest, "=")
			value, rest, _ = strings.Cut(rest, " ")
			if s, _ := l.Setting(name); s.Value != value {
				t.Errorf("%s: %s is %q, want %q", c.file, name, s.Value, value)
			}
		}
		for _, v := range c.values {
			if got, found := l.Rows[v.row].Value(v.of); !found || got != v.want {
				t.Errorf("%s: row %d, figure %d is %v, %v, want %v", c.file, v.row, v.of, got, found, v.want)
			}
		}
		for _, q := range c.none {
			if got, found := l.Rows[0].Value(q); found {
				t.Errorf("%s: there is a figure %d: %v", c.file, q, got)
			}
		}
		if c.unread != "" && (len(l.Unread) != 1 || l.Unread[0].Text != c.unread) {
			t.Errorf("%s: unread is %v", c.file, l.Unread)
		}
	}
}

// TestSeveral: a file may hold several runs, and runs of one shell.
func TestSeveral(t *testing.T) {
	var all strings.Builder
	for _, name := range []string{"write_lat.log", "write_bw.log"} {
		text, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	logs, problems := Read("all", []byte(all.String()))
	if len(problems) > 0 || len(logs) != 2 || logs[0].Name != "write_lat" || logs[1].Name != "write_bw" || len(logs[0].Rows) != 4 || len(logs[1].Rows) != 2 {
		t.Fatalf("%v %v", logs, problems)
	}
	if s, _ := logs[1].Setting("Mtu"); s.Value != "1024[B]" {
		t.Errorf("the second run has a Mtu of %q", s.Value)
	}
}

// TestMistakes: each says where it is.
func TestMistakes(t *testing.T) {
	head := " #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]\n"
	for _, c := range []struct {
		text         string
		line, column int
		says         string
	}{
		{"", 1, 1, "empty"},
		{"\x00\xff", 1, 1, "no text"},
		{"hello\n", 1, 1, "no figures"},
		{head + " 2 1000 0.84\n", 2, 2, "has 3 values, and its table 5 columns"},
		{head + " 2 1000 0.84 x 1.0\n", 2, 14, `t_max[usec] is "x", want a number`},
		{head + " 2 0 0.84 1.0 1.0\n", 2, 4, `#iterations is "0"`},
		{"\n   Raw Ethernet Latency Test\n", 2, 4, `"Raw Ethernet Latency Test" is no test`},
		{`{"results": {"MsgSize": 2`, 1, 26, "too soon"},
		{"{\n\"results\": }", 2, 12, "invalid character"},
		{"{\"results\": {\n\"MsgSize\": 2,\n\"n_iterations\": \"many\"}}", 3, 17, "whole number"},
		{`{"results": {"t_avg": 2}}`, 1, 1, "no #bytes"},
		{"[[[[[[[[[[", 1, 10, "within each other"},
		{strings.Repeat(" ", MostBytes) + head, 1, 1, "at most 8388608"},
		{head + strings.Repeat(" 2 1000 0.84 1.0 1.0\n", MostRows+1), MostRows + 2, 1, "at most 4096 rows"},
	} {
		logs, problems := Read("x.log", []byte(c.text))
		if len(problems) != 1 || logs != nil {
			t.Errorf("%.60q: %d logs, %v", c.text, len(logs), problems)
			continue
		}
		p := problems[0]
		if p.File != "x.log" || p.Line != c.line || p.Column != c.column || !strings.Contains(p.Message, c.says) {
			t.Errorf("%.60q: %+v, want %d:%d: %s", c.text, p, c.line, c.column, c.says)
		}
	}
}
