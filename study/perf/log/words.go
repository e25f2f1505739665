package log

import "strings"

// plain is a name without all that perftest's versions write differently.
func plain(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r + ('a' - 'A')
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		}
		return -1
	}, name)
}

// verbs are the first words of perftest's titles.
var verbs = map[string]string{
	"rdmawrite": "write", "rdmawriteimm": "write", "rdmawritewithimm": "write", "rdmaread": "read", "send": "send", "atomic": "atomic",
}

// titled reads a title: RDMA_Write Bidirectional BW Test, or ib_write_bw. It
// reports whether it is one of a test that hcasim makes.
func (l *Log) titled(title string) bool {
	words := strings.Fields(title)
	if len(words) == 1 {
		words = strings.Split(strings.TrimPrefix(strings.ToLower(words[0]), "ib_"), "_")
		if words[0] == "write" || words[0] == "read" {
			words[0] = "rdma_" + words[0]
		}
	}
	if len(words) == 0 {
		return false
	}
	verb, known := verbs[plain(words[0])]
	kind := ""
	for _, w := range words[1:] {
		switch plain(w) {
		case "bw":
			kind = "_bw"
		case "latency", "lat":
			kind = "_lat"
		case "bidirectional":
			l.Bidirectional = true
		case "fetchandadd", "cmpandswap":
			l.Atomic = strings.ToUpper(w)
		}
	}
	if !known || kind == "" {
		return false
	}
	l.Title, l.Name, l.WithImm = title, verb+kind, strings.Contains(plain(words[0]), "imm")
	return true
}

// A meaning is what a column, or a member of JSON, stands for.
type meaning uint8

const (
	unknown meaning = iota
	useless         // known, and nothing that a simulation has
	size
	iterations
	figure
)

// A column is one of a table.
type column struct {
	name  string
	means meaning
	of    Quantity
	gbits bool
}

// columns are perftest's, by the way that its versions and its JSON name them,
// plain.
var columns = map[string]column{
	"bytes": {means: size}, "msgsize": {means: size},
	"iterations": {means: iterations}, "niterations": {means: iterations},
	"tmin": {means: figure, of: Min}, "tmax": {means: figure, of: Max}, "ttypical": {means: figure, of: Typical},
	"tavg": {means: figure, of: Mean}, "tstdev": {means: figure, of: StdDev},
	"99percentile": {means: figure, of: P99}, "t99percentile": {means: figure, of: P99}, "percentile99": {means: figure, of: P99},
	"999percentile": {means: figure, of: P999}, "t999percentile": {means: figure, of: P999}, "percentile999": {means: figure, of: P999},
	"tpsaverage": {means: figure, of: Rounds}, "tps": {means: figure, of: Rounds},
	"bwpeak": {means: figure, of: Peak}, "bwaverage": {means: figure, of: Average}, "msgrate": {means: figure, of: Messages},
	"cpuutil": {means: useless}, "sl": {means: useless}, "qp": {means: useless},
	"bwport1": {means: useless}, "bwport2": {means: useless}, "msgrateport1": {means: useless}, "msgrateport2": {means: useless},
}

// units are those that columns have behind their names, plain.
var units = map[string]bool{"usec": true, "mbsec": true, "mibsec": true, "gbsec": true, "mpps": true, "": true}

// named finds the column of a name with its unit, if it has one.
func named(text string) column {
	name, unit, bracket := strings.Cut(text, "[")
	c := columns[plain(name)]
	if bracket && c.means == figure && !units[plain(unit)] {
		c.means = unknown // of a unit that we do not know
	}
	c.name, c.gbits = text, plain(unit) == "gbsec"
	return c
}

// unused are beginnings of lines that perftest prints beside its figures and
// that say nothing of them.
var unused = []string{"local address:", "remote address:", "GID:", "*"}

func isUnused(line string) bool {
	for _, u := range unused {
		if strings.HasPrefix(line, u) {
			return true
		}
	}
	return false
}
