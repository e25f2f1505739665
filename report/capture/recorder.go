package capture

import (
	"io"

	"github.com/gopacket/gopacket/pcapgo"

	"hcasim/ib"
	"hcasim/scenario/run"
)

// Kinds are what can be captured: the wire, PCIe of both hosts, or both in one
// file and one order of time.
var Kinds = []string{"wire", "pcie", "all"}

// FileName is how the capture of a kind is called in a result folder.
func FileName(kind string) string { return kind + ".pcapng" }

// A Recorder writes one file.
type Recorder struct {
	view *run.View
	file *file
}

// Watch begins to write a capture of a kind into to. About stands at its head.
func Watch(v *run.View, kind, about string, to io.Writer) (*Recorder, error) {
	var ifaces []pcapgo.NgInterface
	r := &Recorder{view: v}
	var watch []func()
	if kind != "pcie" {
		params := v.Link.Params()
		linkType, what := linkEthernet, "RoCEv2 over Ethernet, without FCS"
		if params.Encap() == ib.InfiniBand {
			linkType, what = linkERF, "native InfiniBand, as ERF"
		}
		n := len(ifaces)
		ifaces = append(ifaces, link("wire", what+"; times are those of the first bit at the sender", linkType))
		watch = append(watch, func() { r.watchWire(n) })
	}
	if kind != "wire" {
		for i := range v.Hosts {
			n := len(ifaces)
			ifaces = append(ifaces, link(v.Hosts[i].Name+".pcie", "TLPs between root complex and adapter, headers only; times are those of the last bit at the receiver", linkUpper))
			watch = append(watch, func() { r.watchPCIe(n, &v.Hosts[i]) })
		}
	}
	var err error
	if r.file, err = newFile(about, ifaces, to); err != nil {
		return nil, err
	}
	for _, w := range watch {
		w()
	}
	return r, nil
}

// Close writes what is left. The error is of the writer.
func (r *Recorder) Close() error { return r.file.close() }
