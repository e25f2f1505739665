package hca

import "hcasim/sim"

// The parts of a request's latency, in the order in which it meets them. The
// first and the last are the CPU's. What the other side does is counted apart.
const (
	PartPost      sim.Part = iota // CPU: building the request, until the doorbell leaves
	PartDoorbell                  // doorbell on its way, and decoded
	PartQueue                     // behind other requests: schedule, fences, limits, buffers
	PartQPC                       // queue-pair context being fetched
	PartWQE                       // work request being fetched
	PartMPT                       // protection entry looked up, or fetched
	PartMTT                       // pages looked up, or fetched
	PartDMA                       // payload on its way over PCIe
	PartNIC                       // transmit and receive pipelines, local execution
	PartWire                      // waiting for the wire, and on it, both ways
	PartRemoteQPC                 // the other side: context being fetched
	PartRemoteWQE                 // receive request being fetched
	PartRemoteMPT                 // protection entry
	PartRemoteMTT                 // pages
	PartRemoteDMA                 // payload over PCIe
	PartRemote                    // its pipelines and queues
	PartRetry                     // waiting for a timer after a loss or a NAK
	PartCQE                       // completion being written
	PartPoll                      // CPU: noticing and taking the completion
	NumParts
)

var partNames = [NumParts]string{
	PartPost: "post", PartDoorbell: "doorbell", PartQueue: "queue", PartQPC: "qpc", PartWQE: "wqe",
	PartMPT: "mpt", PartMTT: "mtt", PartDMA: "dma", PartNIC: "nic", PartWire: "wire",
	PartRemoteQPC: "remote-qpc", PartRemoteWQE: "remote-wqe", PartRemoteMPT: "remote-mpt",
	PartRemoteMTT: "remote-mtt", PartRemoteDMA: "remote-dma", PartRemote: "remote",
	PartRetry: "retry", PartCQE: "cqe", PartPoll: "poll",
}

// PartName returns the word for a part of a latency.
func PartName(p sim.Part) string { return partNames[p] }
