package rc

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"hcasim/ib"
)

var update = flag.Bool("update", false, "write what the scripts of testdata answer into them")

// The scripts of testdata: lines that begin with # are comments, every other
// line before a "----" is a command, and the lines behind it that begin with a
// blank or with = are the whole exchange that these must lead to. With -update it is written anew.
//
//	connect psn=5 mtu=256 retry=2 rnr=1 receives=1
//	post send|write|write-imm|read|add BYTES
//	round [lose|twice|late]=r1,a2 …    deliver requests r1…, then answers a1…
//	timeout
//	receive N
//	request OPCODE psn=5 bytes=256 length=600    by hand, at the responder
//	answer SYNDROME psn=5                        by hand, at the requester
func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got, err := play(string(text))
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			switch {
			case got == string(text):
			case *update:
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			default:
				t.Errorf("%s\n%s", file, difference(string(text), got))
			}
		})
	}
}

// difference shows the first line that differs, and what follows.
func difference(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range min(len(w), len(g)) {
		if w[i] != g[i] {
			return fmt.Sprintf("line %d\nwant: %s\ngot:  %s", i+1, w[i], strings.Join(g[i:min(i+4, len(g))], "\n      "))
		}
	}
	return "one is longer than the other"
}

// play returns the script with what it led to.
func play(text string) (string, error) {
	var out strings.Builder
	var c *conversation
	skipping := false
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		switch {
		case skipping && (strings.HasPrefix(line, " ") || strings.HasPrefix(line, "=")):
			continue
		case line == "----":
			skipping = true
			fmt.Fprintln(&out, line)
			for _, s := range c.story {
				fmt.Fprintln(&out, s)
			}
			fmt.Fprintln(&out, c)
			c.story = nil
			continue
		case line != "" && !strings.HasPrefix(line, "#"):
			if skipping {
				fmt.Fprintln(&out)
			}
			var err error
			if c, err = command(c, strings.Fields(line)); err != nil {
				return "", fmt.Errorf("line %d: %w", i+1, err)
			}
		}
		fmt.Fprintln(&out, line)
		skipping = false
	}
	return out.String(), nil
}

// String is the state of both sides.
func (c *conversation) String() string {
	r, s := &c.requester, &c.responder
	text := fmt.Sprintf("= next %d, unacknowledged %d; expected %d, msn %d", r.Next, r.Unacked, s.Expected, s.MSN)
	if n := len(c.requests); n > 0 {
		text += fmt.Sprintf("; %d under way from %d", n, c.requests[0].BTH.PSN)
	}
	return text
}

// command carries out one line.
func command(c *conversation, words []string) (*conversation, error) {
	args := map[string]string{}
	for _, w := range words[1:] {
		name, value, _ := strings.Cut(w, "=")
		args[name] = value
	}
	number := func(name string, otherwise int) int {
		if n, err := strconv.Atoi(args[name]); err == nil {
			return n
		}
		return otherwise
	}
	switch words[0] {
	case "connect":
		return connect(ib.PSN(number("psn", 0)), uint32(number("mtu", 256)), uint8(number("retry", 7)), uint8(number("rnr", 7)), number("receives", -1)), nil
	case "post":
		n, err := strconv.Atoi(words[2])
		c.post(words[1], uint32(n))
		return c, err
	case "round":
		fates := map[string]string{}
		for name, list := range args {
			for _, which := range strings.Split(list, ",") {
				fates[which] = map[string]string{"lose": "lost", "twice": "twice", "late": "late"}[name]
			}
		}
		c.round(func(answer bool, n int) string {
			return fates[map[bool]string{false: "r", true: "a"}[answer]+strconv.Itoa(n)]
		})
	case "timeout":
		c.say("  no answer")
		c.react(c.requester.Timeout())
	case "receive":
		n, err := strconv.Atoi(words[1])
		c.receives += n
		return c, err
	case "request":
		o, ok := ib.ParseOpcode(words[1])
		if !ok {
			return c, fmt.Errorf("no opcode %q", words[1])
		}
		p := packet{Headers: ib.Headers{BTH: ib.BTH{Opcode: o, PSN: ib.PSN(number("psn", 0))}}, payload: uint32(number("bytes", 0))}
		p.RETH.Length = uint32(number("length", int(p.payload)))
		c.say("  -> %s", p)
		c.request(p)
	case "answer":
		s, ok := ib.ParseSyndrome(words[1])
		if !ok {
			return c, fmt.Errorf("no syndrome %q", words[1])
		}
		p := packet{Headers: ib.Headers{BTH: ib.BTH{Opcode: ib.RCAck, PSN: ib.PSN(number("psn", 0))}}}
		p.AETH.Syndrome = s
		c.say("  <- %s", p)
		c.reply(p)
	default:
		return c, fmt.Errorf("no command %q", words[0])
	}
	return c, nil
}

// A responder that goes back stands where it stood before a message of one
// packet, whatever that was.
func TestBack(t *testing.T) {
	for _, o := range []ib.Opcode{ib.RCWriteOnly, ib.RCReadRequest, ib.RCFetchAdd, ib.RCSendOnly} {
		for _, start := range []uint32{0, 7, 0xFFFFFF} {
			r := Responder{Expected: ib.PSN(start), MSN: start}
			was := r
			r.Accept(&ib.Headers{BTH: ib.BTH{Opcode: o, PSN: r.Expected}, RETH: ib.RETH{Length: 5000}}, 0, 1024)
			if r.Expected == was.Expected || r.MSN == was.MSN {
				t.Fatalf("%v was not accepted", o)
			}
			if r.Back(was.Expected, r.MSN); r != was {
				t.Errorf("%v: %+v, want %+v", o, r, was)
			}
		}
	}
}
