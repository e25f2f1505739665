package ib

// The doorbell pages of the adapter: one 4 KiB page of its BAR per queue
// pair, page 0 for the adapter as a whole. The value written to a queue's
// doorbell is its producer counter.
const (
	DoorbellSend    = 0x000 // send queue
	DoorbellRecv    = 0x040 // receive queue
	DoorbellArm     = 0x080 // page 0: ask for the next event of the CQ whose number is the value
	DoorbellCommand = 0x0C0 // page 0: command queue
	DoorbellSRQ     = 0x100 // shared receive queue: the page is that of its number
	BlueFlame       = 0x800 // send queue, its newest request behind the doorbell

	// ArmSolicited in the value of DoorbellArm: the event is to be of a solicited
	// completion or of a failure.
	ArmSolicited = 1 << 31

	doorbellPage = 12
)

// Doorbell returns the address of a register in the page of a queue pair.
func Doorbell(qpn QPN, register uint64) uint64 { return uint64(qpn)<<doorbellPage | register }

// DoorbellOf splits an address of a doorbell.
func DoorbellOf(addr uint64) (qpn QPN, register uint64) {
	return QPN(addr >> doorbellPage), addr & (1<<doorbellPage - 1)
}
