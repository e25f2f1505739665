package lang

import "testing"

func TestExpand(t *testing.T) {
	env := []binding{{"n", "3"}, {"s", "0x10"}, {"n", "4"}, {"size", "4KiB"}}
	for text, want := range map[string]string{
		"$n": "4", "$size": "4KiB", "w${n}": "w4", "${n*2+1}": "9", "${ 2 * (n - 1) }KiB": "6KiB", "${s/3}": "5", "${s%3}": "1",
		"${-n}": "-4", "${1-2-3}": "-4", "a$b": "a$b", "$": "$", "${size}x": "4KiBx", "${n}${n}": "44",
	} {
		if got, err := expand(text, env); err != nil || got != want {
			t.Errorf("%s: %q, %v; want %q", text, got, err, want)
		}
	}
	for _, text := range []string{"$m", "${m}", "${", "${}", "${n+}", "${(n}", "${n n}", "${1/0}", "${size*2}", "${9223372036854775807*9}", "${((((n)}"} {
		if got, err := expand(text, env); err == nil {
			t.Errorf("%s: %q, want an error", text, got)
		}
	}
}

func TestScaled(t *testing.T) {
	for text, want := range map[string]uint64{"1": 1e6, "0.5": 5e5, "0.000001": 1, "12.25": 12_250_000} {
		if got, ok := scaled(text, million); !ok || got != want {
			t.Errorf("%s: %d, %v; want %d", text, got, ok, want)
		}
	}
	for _, text := range []string{"0.0000001", "", "-1", "1.x", "99999999999999999999", "18446744073709551615"} {
		if got, ok := scaled(text, million); ok {
			t.Errorf("%s: %d, want a refusal", text, got)
		}
	}
}

func TestNearest(t *testing.T) {
	for word, want := range map[string]string{"entires": "entries", "nmae": "name", "REMOTE_WRIT": "REMOTE_WRITE", "zzz": "", "c": "", "remote_write": "REMOTE_WRITE"} {
		if got := nearest(word, []string{"entries", "name", "REMOTE_WRITE", "REMOTE_READ", "d"}); got != want {
			t.Errorf("%s: %q, want %q", word, got, want)
		}
	}
}
