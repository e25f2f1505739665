package lang

import "hcasim/sim"

// DMA is DMA of the adapter against memory of its host, without a key and
// without a queue pair, as pcie-bench measures hosts. So many requests are in
// flight; each that ends makes room for the next.
type DMA struct {
	Pos Pos `yaml:"-"`

	// Op is read, write, write_read (a write, and right behind it a read of the
	// same bytes, which PCIe holds until the write is done) or both (a read and a
	// write at once). A pair is one operation.
	Op string `yaml:"op" required:"true" enum:"read,write,write_read,both"`
	// Of is a buffer, which the step pins and maps while it runs, or a region,
	// which is as its registration left it; by default the host's first buffer.
	Of Ref `yaml:"of" kind:"mem"`
	// Size of each read or write in bytes; 64.
	Size *sim.Bytes `yaml:"size" min:"1" bare:"true"`
	// Window is what the walk goes over, from Offset on; by default the rest.
	Window *sim.Bytes `yaml:"window" min:"1" bare:"true"`
	// Offset of the window from the first byte of the buffer.
	Offset sim.Bytes `yaml:"offset" bare:"true"`
	// Walk chooses the next of the window's cells, which lie Stride apart; by
	// default in sequence, and Size rounded up to a cache line.
	Walk string `yaml:"walk" enum:"sequential,uniform,fixed"`
	// Stride is how far apart the cells of the window lie, in bytes.
	Stride *sim.Bytes `yaml:"stride" min:"1" bare:"true"`
	// Depth is how many operations are in flight; 1.
	Depth *uint32 `yaml:"depth" min:"1" max:"32768"`
	// Count is how many are measured, Warmup what goes before and is not.
	Count *Count `yaml:"count" required:"true"`
	// Warmup is how many operations, or how long, go before what is measured.
	Warmup *Warmup `yaml:"warmup"`
	// Cache is what the last-level cache holds of the window as the first
	// measured operation begins: nothing at all (cold), what the CPU has touched
	// (host) or the adapter has written (device), or what it happens to; as-is.
	Cache string `yaml:"cache" enum:"as-is,cold,host,device"`
	// Interface is engine, which pays the overheads and gaps of hca.pcie, or
	// command, which goes past the DMA engines; engine.
	Interface string `yaml:"interface" enum:"engine,command"`
	// Relaxed writes may be committed before earlier ones; off.
	Relaxed string `yaml:"relaxed" enum:"off,on"`
}

// Payload returns the size of each read or write.
func (x *DMA) Payload() sim.Bytes {
	if x.Size == nil {
		return 64
	}
	return *x.Size
}

// Cells returns how far apart the cells of a window are, and how many of them
// an operation fits into.
func (x *DMA) Cells(window sim.Bytes) (stride, n sim.Bytes) {
	size := x.Payload()
	if stride = (size + 63) &^ 63; x.Stride != nil {
		stride = *x.Stride
	}
	if window < size {
		return stride, 0
	}
	return stride, (window-size)/stride + 1
}
