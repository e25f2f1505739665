package conform

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// starts are the addresses of the buffers, which the case language leaves to
// the system.
var starts = map[string]uint64{"ba": 0x100000, "bb": 0x200000, "h": 0x300000}

var placeForm = regexp.MustCompile(`^([a-z]+)([+-]\d+)?$`)

// place splits BUFFER+OFFSET. Of a number the buffer is "".
func place(text string) (buffer string, offset int64) {
	m := placeForm.FindStringSubmatch(text)
	if m == nil {
		n, err := strconv.ParseUint(text, 0, 64)
		if err != nil {
			panic("conform: no place: " + text)
		}
		return "", int64(n)
	}
	if m[2] != "" {
		offset, _ = strconv.ParseInt(m[2], 10, 64)
	}
	return m[1], offset
}

// address returns a place as a number.
func address(text string) string {
	buffer, offset := place(text)
	return fmt.Sprintf("%#x", starts[buffer]+uint64(offset))
}

// access writes a list of rights.
func access(text string) string {
	if text == "-" {
		return "[]"
	}
	return "[" + strings.ReplaceAll(text, "|", ", ") + "]"
}

var keyForm = regexp.MustCompile(`^([a-z]\w*)(?:@(\d+))?(?:\.(byte|index)(\+\d+))?$`)

// key writes a key. The object that it is of is "" for a number, and plain
// reports that it is just the key that this object has.
func key(text string) (of, expr string, plain bool) {
	m := keyForm.FindStringSubmatch(text)
	if m == nil {
		return "", text, false
	}
	of, expr = m[1], "{of: "+m[1]
	if m[2] != "" {
		expr += ", generation: " + m[2]
	}
	if m[3] != "" {
		expr += ", " + m[3] + ": " + m[4]
	}
	return of, expr + "}", m[2] == "" && m[3] == ""
}

// A world knows what the names of a case are.
type world struct {
	kind map[string]string // region, window or queue pair
	host map[string]string
}

func newWorld(c *Case) *world {
	w := &world{
		kind: map[string]string{"ma": "mr"},
		host: map[string]string{"ma": "a", "qa": "a", "qb": "b"},
	}
	for _, s := range c.Steps {
		kind, made := map[string]string{"reg_mr": "mr", "alloc_mw": "mw", "create_qp": "qp"}[s.Verb]
		if made {
			w.kind[s.Args[0]], w.host[s.Args[0]] = kind, s.Host
		}
	}
	return w
}

// remote writes ADDRESS:KEY of a request of host.
func (w *world) remote(host, text string) string {
	at, k, _ := strings.Cut(text, ":")
	of, expr, plain := key(k)
	there := of != "" && (w.host[of] != host || !w.apart(host))
	switch {
	case !there && of != "":
		return fmt.Sprintf("{addr: %s, key: {of: %s.%s}}", address(at), w.host[of], of)
	case of == "":
		return fmt.Sprintf("{addr: %s, key: %s}", address(at), expr)
	case plain:
		return fmt.Sprintf("{%s: %s, addr: %s}", w.kind[of], of, address(at))
	}
	return fmt.Sprintf("{%s: %s, addr: %s, key: %s}", w.kind[of], of, address(at), expr)
}

// apart reports whether the peers of host's queue pairs are on the other one.
func (w *world) apart(host string) bool { return w.host["qy"] != host }

// local writes ADDRESS:LENGTH:KEY.
func (w *world) local(text string) string {
	parts := strings.Split(text, ":")
	of, expr, plain := key(parts[2])
	piece := fmt.Sprintf("addr: %s, length: %s", address(parts[0]), parts[1])
	switch {
	case of == "" || w.kind[of] != "mr":
		return fmt.Sprintf("{%s, key: %s}", piece, expr)
	case plain:
		return fmt.Sprintf("{mr: %s, %s}", of, piece)
	}
	return fmt.Sprintf("{mr: %s, %s, key: %s}", of, piece, expr)
}
