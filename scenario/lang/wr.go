package lang

import (
	"hcasim/ib"
	"hcasim/sim"
)

// PostSend is ibv_post_send of one list.
type PostSend struct {
	Pos Pos
	QP  Ref
	WRs []WR // repeated ones are written out; QP of each is filled in
	// EachDoorbell rings once for every WR instead of once for the list.
	EachDoorbell bool
}

// A WR is a send work request (ibv_send_wr). It asks for a completion
// unless it says signaled: false.
type WR struct {
	Pos Pos `yaml:"-"`

	// ID names the op within its step, for after: and wait:.
	ID string `yaml:"id"`
	// QP to post on; by default the host's first. All of a list have one.
	QP Ref `yaml:"qp" kind:"qp"`
	// Times repeats the request in the list.
	Times *uint32 `yaml:"times" min:"1" max:"100000"`
	// Opcode: a name of ibv_wr_opcode, or a number that is none.
	Opcode Opcode `yaml:"opcode"`
	// Signaled is false for a request without a completion.
	Signaled *bool `yaml:"signaled"`
	// Flags are send_flags besides SIGNALED: FENCE, SOLICITED, INLINE.
	Flags ib.SendFlags `yaml:"send_flags"`
	// SGE are the pieces of local memory; left out: the host's first region.
	SGE []SGE `yaml:"sge"`
	// Length of a piece that was left out or says none.
	Length *sim.Bytes `yaml:"length" bare:"true"`
	// Remote is the place at the peer; by default the peer's first region.
	Remote Remote `yaml:"remote"`
	// Imm is the immediate.
	Imm *uint32 `yaml:"imm"`
	// Invalidate is the key to kill, of LOCAL_INV and SEND_WITH_INV.
	Invalidate *KeyExpr `yaml:"invalidate"`
	// Add is what FETCH_AND_ADD adds.
	Add *uint64 `yaml:"add"`
	// Compare is the value that CMP_AND_SWP compares with.
	Compare *uint64 `yaml:"compare"`
	// Swap is the value that it writes if they are equal.
	Swap *uint64 `yaml:"swap"`
	// Bind is the bind of BIND_MW.
	Bind *Bind `yaml:"bind_mw"`
	// Reg is the registration of REG_MR.
	Reg *Reg `yaml:"reg_mr"`
	// AH is where a datagram goes.
	AH Ref `yaml:"ah" kind:"ah"`
	// QKey is the Q_Key that a datagram carries, by default that of the queue pair
	// it goes to. With the highest bit set it is the sender's own.
	QKey *uint32 `yaml:"qkey"`
}

// An Opcode is that of a work request, known or not.
type Opcode struct {
	Given bool
	Value ib.WROpcode
}

// BindWR is wr_bind_mw: a BIND_MW request with its bind written flat.
type BindWR struct {
	Pos Pos `yaml:"-"`

	// ID names the op within its step, for after: and wait:.
	ID string `yaml:"id"`
	// QP to post on; by default the host's first.
	QP Ref `yaml:"qp" kind:"qp"`
	// Signaled is false for a request without a completion.
	Signaled *bool `yaml:"signaled"`
	// Flags are send_flags besides SIGNALED, such as FENCE.
	Flags ib.SendFlags `yaml:"send_flags"`
	// SGE is a mistake to be tested: a bind has none.
	SGE  []SGE `yaml:"sge"`
	Bind `yaml:",inline"`
}

// RegWR is wr_reg_mr: a REG_MR request with its registration written flat.
type RegWR struct {
	Pos Pos `yaml:"-"`

	// ID names the op within its step, for after: and wait:.
	ID string `yaml:"id"`
	// QP to post on; by default the host's first.
	QP Ref `yaml:"qp" kind:"qp"`
	// Signaled is false for a request without a completion.
	Signaled *bool `yaml:"signaled"`
	// Flags are send_flags besides SIGNALED, such as FENCE.
	Flags ib.SendFlags `yaml:"send_flags"`
	Reg   `yaml:",inline"`
}

// Reg makes a fast-register region valid (ib_reg_wr).
type Reg struct {
	// MR is the fast-register region.
	MR Ref `yaml:"mr" kind:"mr"`
	// Buf is the memory behind; Offset and Length choose a part.
	Buf Ref `yaml:"buf" kind:"mem"`
	// Offset of the part from the first byte of the buffer.
	Offset Offset `yaml:"offset"`
	// Length of the part; by default all that is left.
	Length *sim.Bytes `yaml:"length" bare:"true"`
	// Iova is the first address that its key understands; by default the
	// buffer's own.
	Iova *Address `yaml:"iova"`
	// Page is the size of the pages in the list; by default the buffer's own.
	Page *sim.Bytes `yaml:"page" pow2:"true"`
	// Access are the rights that the key gives.
	Access ib.AccessFlags `yaml:"access"`
	// KeyByte is the low byte of the new key: a number, or a change of the present
	// one; by default +1.
	KeyByte Delta `yaml:"key_byte"`
	// Key is the whole new key, in the place of KeyByte.
	Key *KeyExpr `yaml:"key"`
}

// An SGE is a piece of local memory. A bare name is the whole of that region.
type SGE struct {
	Pos Pos `yaml:"-"`

	// MR whose memory and L_Key are meant; Buf is memory without a key.
	MR Ref `yaml:"mr" kind:"mr" short:"true"`
	// Buf is memory of which no key is known: Key says one.
	Buf Ref `yaml:"buf" kind:"mem"`
	// Offset from the first byte of the region; Addr is absolute.
	Offset Offset `yaml:"offset"`
	// Addr is the absolute address, in the place of Offset.
	Addr *Address `yaml:"addr"`
	// Length of the piece; by default all that is left.
	Length *sim.Bytes `yaml:"length" bare:"true"`
	// Key in the place of the region's L_Key.
	Key *KeyExpr `yaml:"key"`
}

// A Remote is a place at the peer and the key that opens it. A bare name is
// the region or window of that name.
type Remote struct {
	Pos Pos `yaml:"-"`

	// MR or MW at the peer. Neither: Addr and Key say all.
	MR Ref `yaml:"mr" kind:"mr" short:"true"`
	// MW is the window at the peer.
	MW Ref `yaml:"mw" kind:"mw" short:"true"`
	// Offset from the first byte of the region or window; Addr is absolute.
	Offset Offset `yaml:"offset"`
	// Addr is the absolute address at the peer, in the place of Offset.
	Addr *Address `yaml:"addr"`
	// Key in the place of the object's R_Key.
	Key *KeyExpr `yaml:"key"`
}

// Object returns the region or window that r names.
func (r *Remote) Object() Ref {
	if r.MW.Given() {
		return r.MW
	}
	return r.MR
}

// PostRecv is ibv_post_recv or ibv_post_srq_recv of one list.
type PostRecv struct {
	Pos Pos
	QP  Ref // or
	SRQ Ref
	WRs []RecvWR // repeated ones are written out
}

// A RecvWR is a receive work request (ibv_recv_wr).
type RecvWR struct {
	Pos Pos `yaml:"-"`

	// ID names the op within its step, for after: and wait:.
	ID string `yaml:"id"`
	// QP to post on; by default the host's first.
	QP Ref `yaml:"qp" kind:"qp"`
	// SRQ to post on, of post_srq_recv.
	SRQ Ref `yaml:"srq" kind:"srq"`
	// Times repeats the request in the list.
	Times *uint32 `yaml:"times" min:"1" max:"100000"`
	// SGE are the pieces; left out: the host's first region.
	SGE []SGE `yaml:"sge"`
	// Length of a piece that was left out or says none.
	Length *sim.Bytes `yaml:"length" bare:"true"`
}

// A KeyKind says where a key comes from.
type KeyKind uint8

// The kinds of keys.
const (
	KeyCurrent    KeyKind = iota // the present key of Of
	KeyStale                     // the key that Of had before its present one
	KeyGeneration                // the key that Of had at Generation
	KeyNumber                    // Number
	KeyRandom                    // drawn from the seed
)

// A KeyExpr is a key, written as a number, as stale, swapped or random, as the
// name of an object, or as {of, generation, byte, index, swapped}. Where Of
// is left out it is the object that is addressed.
type KeyExpr struct {
	Pos  Pos
	Kind KeyKind
	// Of is the region or window whose key is meant.
	Of Ref
	// LKey takes the L_Key of Of, not its R_Key ({lkey: NAME}); RKey the
	// R_Key where an L_Key is due ({rkey: NAME}).
	LKey, RKey bool
	// Generation counts the keys of Of: 0 is the first it had, each change of
	// its key adds one.
	Generation uint32
	Number     uint32
	// Byte and Index change the two parts of the key, the byte modulo 256.
	Byte, Index Delta
	// Swapped reverses the order of the four bytes, last of all.
	Swapped bool
}

// A HostAct is something that the CPU or the operating system of a host does
// to memory; Step.Verb says which.
type HostAct struct {
	Verb string `yaml:"-"`
	// Buf names a buffer, or MR a region whose memory is meant; else Addr.
	Buf Ref `yaml:"buf" kind:"mem" short:"true"`
	// MR is a region whose memory is meant.
	MR Ref `yaml:"mr" kind:"mr" short:"true"`
	// Addr is an absolute address in the place of a name.
	Addr *Address `yaml:"addr"`
	// Proc is the address space of Addr; by default the host's first.
	Proc Ref `yaml:"proc" kind:"proc"`
	// Offset and Length choose a part; by default the whole.
	Offset Offset `yaml:"offset"`
	// Length of the part in bytes; by default all that is left.
	Length *sim.Bytes `yaml:"length" bare:"true"`
	// Data to store.
	Data *Data `yaml:"data"`
	// Prot of mprotect.
	Prot Prot `yaml:"prot"`
}
