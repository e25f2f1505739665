package report

import (
	"bytes"
	"fmt"
	"strings"

	"hcasim/scenario/config"
)

// paramsPage is what the page says before the groups.
const paramsPage = `Every number of the model is a parameter: it has a path, a unit, a default, a range and a
meaning, and hcasim params PATH shows them, with what each profile says and where it has that
from.

Paths

  A path is the groups that a parameter lies in, and its name, with dots between them, as in
  the file: hca.cache.mpt.entries is

    hca: {cache: {mpt: {entries: 64}}}

  hca and host are of both hosts. hosts.client.hca.cache.mpt.entries is of one, in the file
    hosts: {client: {hca: {cache: {mpt: {entries: 64}}}}}
  vars.NAME is a variable of the file, and profile, variant, run.seed and run.until can be set
  as well.

Values

  times        1.5us, 250ns, 10ms         ps, ns, us, ms, s; a whole number of picoseconds
  sizes        4KiB, 64B, 2MiB            B, KiB, MiB, GiB, or kB, MB: powers of ten
  rates        100Gb/s, 2.5Gb/s           b/s, kb/s, Mb/s, Gb/s, Tb/s
  frequencies  250MHz, 1GHz               Hz, kHz, MHz, GHz
  counts       64                         no unit: entries, cycles of its clock, packets, ppm
  words        lru                        one of those that hcasim params PATH lists

  Nothing is rounded: what is not exact in picoseconds, bytes or bits a second is refused.

Who says it

  Each of these goes over those above it:

    the default         as hcasim params shows it
    the profile's host  host-modern and the like: hcasim profile list
    the profile         profile: in the file, or --profile
    the opening         use: in the file
    the file            hca:, host:, wire:
    --set PATH=VALUE    the last where there are several; --profile is --set profile=
    a case              set: of one case in the file
    one host            hosts.NAME.…, wherever it is said: it is the narrower

  config.yaml of a result has every value with where it is from.

Examples

  hcasim params hca.cache.mpt
  hcasim run FILE --set hca.cache.mpt.entries=64 --set wire.delay=1us
  hcasim run FILE --set hosts.server.hca.clock=500MHz
  hcasim run FILE --sweep hca.cache.mpt.entries=16,64,256
  hcasim sweep run STUDY --set wire.rate=200Gb/s

Groups, with how many parameters lie in each

`

// ParamsPage explains parameters, for the help.
func ParamsPage() string {
	world := &config.World{}
	own := map[string]int{}
	all := config.Describe(world)
	for _, p := range all {
		own[p.Path[:strings.LastIndexByte(p.Path, '.')]]++
	}
	var b strings.Builder
	b.WriteString(paramsPage)
	for _, g := range config.Groups(world) {
		line := fmt.Sprintf("  %-18s %4s  %s", g.Path, orBlank(own[g.Path]), g.Doc)
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	fmt.Fprintf(&b, "  %-18s %4d\n\nhcasim params GROUP shows one, hcasim params all of them.\n", "in all", len(all))
	return b.String()
}

// orBlank is a count, "" for none.
func orBlank(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}

// ParamsText is Params as text.
func ParamsText(path string) (string, error) {
	var b bytes.Buffer
	err := Params(&b, path, "")
	return b.String(), err
}
