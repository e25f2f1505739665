package log

import (
	"fmt"
	"math"
	"strconv"
)

// most bounds sizes and numbers of messages: perftest's -s and -n take less.
const most = 1 << 40

// read takes a value over. It returns what is wrong with it, "" for nothing.
func (r *Row) read(c *column, text string) (wrong string) {
	switch c.means {
	case size, iterations:
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil || n == 0 || n > most {
			return fmt.Sprintf("want a whole number, 1 to %d", uint64(most))
		}
		if c.means == size {
			r.Bytes = n
		} else {
			r.Iterations = n
		}
	case figure:
		v, err := strconv.ParseFloat(text, 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) || v < 0 {
			return "want a number"
		}
		if c.of == Peak && v == 0 {
			return "" // of -N and -D, which have none
		}
		r.set(c.of, v)
	case unknown, useless:
	}
	return ""
}

// add adds a row to the log that is complete in itself.
func (l *Log) add(r *reader, row Row) {
	if row.Bytes == 0 || row.Iterations == 0 {
		r.wrong(row.Line, 1, "the row has no #bytes or no #iterations", "")
		return
	}
	l.Rows = append(l.Rows, row)
}
