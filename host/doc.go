// Package host is one host: the memory with its bytes, the processes with
// their page tables, the caches and the IOMMU on the adapter's way to memory,
// and the software that drives the adapter.
//
// It knows the formats that it shares with the adapter (ib, tpt) and the link
// to it (pcie). It does not know hca: what an adapter does with a doorbell, a
// key or a page list is not decided here.
//
//	        Load, Store                       doorbells, command ring
//	CPU ---------+                     driver ------------------------> pcie
//	             v                       |  Pin, Unpin
//	Process: regions -> page tables <----+
//	             |  Pager: page out, page in
//	             v
//	Frames ----> Memory <---- bytes moved as pcie serves or commits them
//	               ^
//	RootMemory: IOMMU -> LLC or DRAM   (when, and whether; never what)
//
// Begin with host.go and driver.go, then post.go for requests and verbs_mr.go for
// registration.
//
// Invariants:
//
//	H1  Memory is what was written to it last: what is kept as a value, as a
//	    fill, or not at all reads the same as if every byte were stored.
//	H2  A frame belongs to one page of one process, or to nobody. Two processes
//	    never share one, whatever their addresses.
//	H3  A pinned frame keeps its content and its place: it is neither paged out
//	    nor handed out again, not even after its process has unmapped it.
//	H4  Pinning is all or nothing, and each pin is taken back exactly once.
//	H5  A page that is paged out keeps its bytes; it comes back at another
//	    physical address wherever there is one.
//	H6  An address of the adapter is the physical address, with or without
//	    IOMMU. The IOMMU says whether and when, and nothing else.
//	H7  No part of this room reads the order of a map or a clock of the real
//	    world: the same calls give the same addresses, bytes and times.
//	H8  A page of on-demand memory goes only after the adapter has forgotten it,
//	    and none of it comes back before it has gone. Every wish of the adapter
//	    for pages is answered once: with the pages, or with a no.
package host
