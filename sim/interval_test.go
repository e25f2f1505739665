package sim

import "testing"

func TestIntervalText(t *testing.T) {
	for text, want := range map[string]Interval{"0": 0, "12": 12000, "9.4": 9400, "47/5": 9400, "0.037": 37, "28.125": 28125} {
		var i Interval
		if err := i.UnmarshalText([]byte(text)); err != nil || i != want {
			t.Errorf("%s: %d, %v; want %d", text, i, err, want)
		}
		var again Interval
		if err := again.UnmarshalText([]byte(i.String())); err != nil || again != i {
			t.Errorf("%s: written as %s, read as %d, %v", text, i, again, err)
		}
	}
	for _, text := range []string{"", ".5", "1ns", "1.2345", "1/3", "1/0", "-1", "/2"} {
		var i Interval
		if err := i.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q is taken as %v", text, i)
		}
	}
}

// TestPace holds a stream spaced by 9.4 cycles to exactly that in the mean, on
// whole edges, and starts anew after a pause.
func TestPace(t *testing.T) {
	var p Pace
	for k := range Cycles(1000) {
		if at, want := p.Take(0, 9400), (k*94+9)/10; at != want {
			t.Fatalf("number %d goes at cycle %d, want %d", k, at, want)
		}
	}
	p = Pace{}
	at := Cycles(0)
	for k := range Cycles(1000) {
		if p.Take(at, 9400); p.At(0) != (94*(k+1)+9)/10 {
			t.Fatalf("taken when free: number %d may go at %d, want %d", k+1, p.At(0), (94*(k+1)+9)/10)
		}
		at = p.At(0)
	}
	if at := p.Take(20_000, 9400); at != 20_000 {
		t.Errorf("after a pause at %d, want at once", at)
	}
	if at := p.At(20_001); at != 20_010 {
		t.Errorf("the next at %d, want 20010", at)
	}
	p.Hold(30_000)
	if at := p.At(0); at != 30_000 {
		t.Errorf("held until 30000, at %d", at)
	}
}
