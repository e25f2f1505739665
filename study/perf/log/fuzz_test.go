package log

import "testing"

// FuzzLog: whatever a file says, reading it ends with logs or with mistakes
// that lie within it, and no more is kept than may be.
func FuzzLog(f *testing.F) {
	f.Fuzz(func(t *testing.T, text []byte) {
		logs, problems := Read("x", text)
		if (len(logs) == 0) == (len(problems) == 0) {
			t.Fatalf("%d logs and %d mistakes", len(logs), len(problems))
		}
		lines := 1
		for _, b := range text {
			if b == '\n' {
				lines++
			}
		}
		for _, p := range problems {
			if p.Line < 1 || p.Line > lines || p.Column < 1 || p.Message == "" {
				t.Errorf("a mistake at %d:%d of %d lines: %q", p.Line, p.Column, lines, p.Message)
			}
		}
		rows := 0
		for i := range logs {
			l := &logs[i]
			rows += len(l.Rows)
			if l.Line < 1 || l.Line > lines || len(l.Rows) == 0 || len(l.Unread) > MostUnread {
				t.Errorf("line %d, %d rows, %d unread", l.Line, len(l.Rows), len(l.Unread))
			}
			for k := range l.Rows {
				r := &l.Rows[k]
				if r.Bytes == 0 || r.Iterations == 0 || r.Bytes > most || r.Iterations > most {
					t.Errorf("a row of %d bytes, %d iterations", r.Bytes, r.Iterations)
				}
				for q := range quantities {
					if v, found := r.Value(q); found && v < 0 {
						t.Errorf("figure %d is %v", q, v)
					}
				}
			}
		}
		if rows > MostRows {
			t.Errorf("%d rows", rows)
		}
	})
}
