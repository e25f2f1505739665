package suite

import (
	"strconv"

	"hcasim/sim"
)

// number reads an x that is a plain number or a size.
func number(text string) (v float64, ok bool) {
	if v, err := strconv.ParseFloat(text, 64); err == nil {
		return v, true
	}
	var b sim.Bytes
	if b.UnmarshalText([]byte(text)) == nil {
		return float64(b), true
	}
	return 0, false
}

// isSize reports whether an x is a number with a unit.
func isSize(text string) bool {
	_, err := strconv.ParseFloat(text, 64)
	return err != nil
}

// bytesOf returns what $xb stands for: the bytes of a size, or a whole number.
func bytesOf(text string) (xb string, ok bool) {
	if n, err := strconv.ParseUint(text, 10, 64); err == nil {
		return strconv.FormatUint(n, 10), true
	}
	var b sim.Bytes
	if b.UnmarshalText([]byte(text)) == nil {
		return strconv.FormatUint(uint64(b), 10), true
	}
	return "", false
}

// An axis places the x of a curve: numbers and sizes where they are, and as
// soon as one of them is a word, all in their order, from 0.
type axis struct {
	words map[string]float64 // nil: numbers
}

func newAxis(texts []string) axis {
	words := map[string]float64{}
	numbers := true
	for i, text := range texts {
		_, ok := number(text)
		numbers = numbers && ok
		words[text] = float64(i)
	}
	if numbers {
		return axis{}
	}
	return axis{words}
}

// at returns the place of an x.
func (a axis) at(text string) (v float64, ok bool) {
	if a.words == nil {
		return number(text)
	}
	v, ok = a.words[text]
	return v, ok
}
