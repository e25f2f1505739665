package lang

import (
	"go.yaml.in/yaml/v4"

	"hcasim/ib"
	"hcasim/sim"
)

// A Host is one side: a machine with one adapter.
type Host struct {
	Pos Pos `yaml:"-"`

	// PD names the protection domains. The first is the default.
	PD []Name `yaml:"pd"`
	// Proc names the address spaces. The first is the default; without any
	// there is one, called main.
	Proc []Name `yaml:"proc"`
	// CQ are completion queues. A queue pair without one has its own.
	CQ Map[CreateCQ] `yaml:"cq"`
	// SRQ are shared receive queues.
	SRQ Map[CreateSRQ] `yaml:"srq"`
	// Mem are buffers in the memory of this host.
	Mem Map[Mem] `yaml:"mem"`
	// MR are regions, registered before time 0. The first is the default.
	MR Map[RegMR] `yaml:"mr"`
	// MW are windows, allocated before time 0.
	MW Map[AllocMW] `yaml:"mw"`
	// FR are fast-register regions, allocated before time 0.
	FR Map[AllocMR] `yaml:"fr"`
	// QP are queue pairs. The first is the default.
	QP Map[QP] `yaml:"qp"`

	// Profile names the numbers of this host alone, in the place of the file's;
	// the cable stays the file's.
	Profile string `yaml:"profile"`
	// HCA configures the adapter of this host, over what is said of all.
	HCA *yaml.Node `yaml:"hca"`
	// HostParams configures memory, driver and CPU of this host.
	HostParams *yaml.Node `yaml:"host"`
	// Wire configures this host's end of the cable.
	Wire *yaml.Node `yaml:"wire"`
}

// A Name is a word of letters, digits, - and _, and begins with a letter.
//
// Its place in the file is kept.
type Name struct {
	Pos  Pos
	Text string
}

// A QP is a queue pair and its attributes (ibv_qp_init_attr, ibv_qp_attr). One that
// is left out has the default named here.
type QP struct {
	Pos Pos `yaml:"-"`

	// As is the name, in create_qp; under hosts: the key is the name.
	As Name `yaml:"as"`
	// Count makes an array of so many alike; peers pair up by number.
	Count *uint32 `yaml:"count" min:"1" max:"1048576"`
	// PD of the queue pair; by default the host's first.
	PD Ref `yaml:"pd" kind:"pd"`
	// Type of service; RC.
	Type *ib.QPType `yaml:"type"`
	// Peer is the queue pair at the other end, HOST.NAME.
	Peer Ref `yaml:"peer" kind:"qp"`
	// CQ is where completions of sends and receives go; by default one of its own.
	CQ Ref `yaml:"cq" kind:"cq"`
	// SendCQ is where completions of send requests go.
	SendCQ Ref `yaml:"send_cq" kind:"cq"`
	// RecvCQ is where completions of receives go.
	RecvCQ Ref `yaml:"recv_cq" kind:"cq"`
	// SRQ from which receives are taken.
	SRQ Ref `yaml:"srq" kind:"srq"`
	// State in which it is declared: RTS by default under hosts:, RESET in
	// create_qp.
	State *ib.QPState `yaml:"state"`

	QPAttr `yaml:",inline"`
}

// QPAttr are the attributes that modify_qp can change too.
type QPAttr struct {
	// Access are the remote rights of the queue pair (qp_access_flags); by
	// default none.
	Access *ib.AccessFlags `yaml:"access"`
	// MTU is the path MTU: 256, 512, 1024, 2048 or 4096 bytes; 1024.
	MTU *uint32 `yaml:"mtu" oneof:"256,512,1024,2048,4096"`
	// Timeout is 4.096 us * 2^Timeout; 0 waits for ever; 14.
	Timeout *uint8 `yaml:"timeout" max:"31"`
	// RetryCnt is how often a request is repeated; 7.
	RetryCnt *uint8 `yaml:"retry_cnt" max:"7"`
	// RNRRetry is how often after RNR NAK; 7 for ever; 7.
	RNRRetry *uint8 `yaml:"rnr_retry" max:"7"`
	// MinRNRTimer is the code that its RNR NAKs carry, 12 for 0.64 ms; 12.
	MinRNRTimer *uint8 `yaml:"min_rnr_timer" max:"31"`
	// MaxRdAtomic is how many READs and atomics it may have outstanding; 16.
	MaxRdAtomic *uint8 `yaml:"max_rd_atomic"`
	// MaxDestRdAtomic is how many it accepts; 16.
	MaxDestRdAtomic *uint8 `yaml:"max_dest_rd_atomic"`
	// SQ is the depth of the send queue (max_send_wr); 128.
	SQ *uint32 `yaml:"sq" min:"1" max:"32768"`
	// RQ is the depth of the receive queue (max_recv_wr); 128.
	RQ *uint32 `yaml:"rq" min:"1" max:"32768"`
	// MaxSGE bounds the pieces of a request, both queues; 4.
	MaxSGE *uint32 `yaml:"max_sge" min:"1" max:"64"`
	// MaxInline bounds inline data in bytes; 64.
	MaxInline *uint32 `yaml:"max_inline" max:"4096"`
	// PSN is the first packet number of the send side; 100.
	PSN *uint32 `yaml:"psn" max:"16777215"`
	// RQPSN is the packet number expected first; by default the peer's.
	RQPSN *uint32 `yaml:"rq_psn" max:"16777215"`
	// SigAll makes every send request signaled.
	SigAll *bool `yaml:"sig_all"`
	// QPN asks for this number; by default the device chooses.
	QPN *uint32 `yaml:"qpn" min:"1" max:"16777215"`
	// QKey of a UD queue pair.
	QKey *uint32 `yaml:"qkey"`
}

// A Mem is a buffer in one address space of a host.
type Mem struct {
	Pos Pos `yaml:"-"`

	// Length in bytes.
	Length sim.Bytes `yaml:"length" required:"true" bare:"true" min:"1"`
	// At is the virtual address; by default the model places it.
	At *Address `yaml:"at"`
	// Page is the size of the pages behind it: 4KiB, 2MiB or 1GiB; 4KiB.
	Page *sim.Bytes `yaml:"page" pow2:"true"`
	// Fill is what it holds at the beginning; 0.
	Fill *Data `yaml:"fill"`
	// Prot is what the CPU may do: rw, r or none; rw.
	Prot Prot `yaml:"prot"`
	// Hole is a part that is not mapped.
	Hole *Span `yaml:"hole"`
	// Small is a part that is mapped with 4 KiB pages, whatever Page says.
	Small *Span `yaml:"small"`
	// Pinnable is false for memory that the driver cannot pin.
	Pinnable *bool `yaml:"pinnable"`
	// Absent starts with no page in memory, for on-demand paging.
	Absent bool `yaml:"absent"`
	// Untouched starts with no page touched by the CPU: the first touch, or
	// the first registration, pays host.cpu.fault for each.
	Untouched bool `yaml:"untouched"`
	// Proc is the address space; by default the host's first.
	Proc Ref `yaml:"proc" kind:"proc"`
}

// Prot is what the CPU may do with pages.
type Prot string

// The protections of pages.
const (
	ProtRW   Prot = "rw"
	ProtR    Prot = "r"
	ProtNone Prot = "none"
)

// A Span is a part of a buffer or region.
type Span struct {
	// Offset of its first byte.
	Offset Offset `yaml:"offset"`
	// Length in bytes.
	Length sim.Bytes `yaml:"length" bare:"true" required:"true"`
}

// within reports whether s lies in a buffer of n bytes.
func (s *Span) within(n sim.Bytes) bool {
	return s.Offset >= 0 && sim.Bytes(s.Offset) <= n && s.Length <= n-sim.Bytes(s.Offset)
}
