package causes

import "hcasim/tpt"

// A Cause is one reason.
type Cause struct {
	Name   string
	Means  string   // one sentence
	Arises []string // how users come by it
	Mend   []string // what to change, most likely first
	Seen   []Sight
	Rules  []string // that refuse for it
}

// A Sight is what a program is shown.
type Sight struct {
	When   string
	Status string // IBV_WC_… of who asked, an errno, or both sides'
	Vendor string // vendor_err of ConnectX-6, as measured says; "" where nobody has looked
}

// measured is where the vendor's codes were published.
const measured = "unionxic/rdma-fault-characterization: ConnectX-6 (firmware 20.40) asking, ConnectX-5 (16.35) answering, RoCEv2"

// The causes that tpt has no word for.
const (
	QPAccess   = "qp-access"
	BadRequest = "bad-request"
	ShortRecv  = "short-receive"
	NoRecv     = "no-receive"
	NoAnswer   = "no-answer"
	Flushed    = "flushed"
	BadLength  = "bad-length"
	Bind       = "bind-refused"
	Invalidate = "invalidate-refused"
	Register   = "register-refused"
	Post       = "post-refused"
	Verb       = "verb-refused"
)

// Find returns a cause by its name.
func Find(name string) (*Cause, bool) {
	for i := range list {
		if list[i].Name == name {
			return &list[i], true
		}
	}
	return nil, false
}

// OfFault returns the cause of a refused access.
func OfFault(f tpt.Fault) *Cause {
	c, found := Find(f.String())
	if !found {
		panic("causes: nothing is said of " + f.String())
	}
	return c
}

// OfRule returns the cause that a rule refuses for where no key is at fault;
// nil if it is none's.
func OfRule(rule string) *Cause {
	for i := range list {
		for _, r := range list[i].Rules {
			if r == rule {
				return &list[i]
			}
		}
	}
	return nil
}

// Advice returns what to change: what the rule asks for first, then what helps
// against the cause in general.
func Advice(c *Cause, rule string) (list []string) {
	if m, known := mends[rule]; known {
		list = append(list, m)
	}
	if c != nil {
		list = append(list, c.Mend...)
	}
	return list
}

const (
	locProt = "IBV_WC_LOC_PROT_ERR"
	remAcc  = "IBV_WC_REM_ACCESS_ERR"
	remInv  = "IBV_WC_REM_INV_REQ_ERR"
	remOp   = "IBV_WC_REM_OP_ERR"
)

// ofKey is how every refused key is seen.
func ofKey(local, remote string) []Sight {
	return []Sight{
		{"an L_Key, of a SEND or WRITE", locProt, local},
		{"an R_Key; both queue pairs go to IBV_QPS_ERR, the peer is told IBV_EVENT_QP_ACCESS_ERR", remAcc, remote},
		{"a receive's buffer: the receive " + locProt + ", the sender", remOp, ""},
	}
}

// list is every cause: first those of keys, in the order in which they are
// asked, then those of queues, then those of changes.
var list = []Cause{
	{
		Name: tpt.BadIndex.String(), Means: "The key's index, its upper 24 bits, names no object that such a key could stand for.",
		Arises: []string{"an lkey is sent where the rkey belongs, or the key of another host", "the key was swapped to another byte order on its way", "the region was deregistered, or its registration had failed", "the R_Key of a window stands in an SGE"},
		Mend:   []string{"send mr->rkey (or mw->rkey) to the peer, not mr->lkey, and keep its byte order: htonl on one side wants ntohl on the other", "check the result of ibv_reg_mr before its keys are used, and tell peers to stop before ibv_dereg_mr", "put only an lkey of a region into ibv_sge: a window has none"},
		Seen:   ofKey("0x52", "0x88"), Rules: []string{"KEY-1", "KEY-11"},
	},
	{
		Name: tpt.BadKey.String(), Means: "An object stands at the key's index, but the key byte, the low 8 bits, is not the one in use.",
		Arises: []string{"the key is of an earlier life of the index: the region was registered anew, the window bound again", "ibv_rereg_mr gave a new key and the peer kept the old one", "the key was guessed or corrupted"},
		Mend:   []string{"exchange the key again after every ibv_reg_mr, ibv_rereg_mr, ibv_bind_mw, IBV_WR_BIND_MW and REG_MR", "set mw->rkey from the bind that succeeded (ibv_inc_rkey before a type 2 bind), and send that one", "let the peer confirm that it has dropped the old key before you make the new one"},
		Seen:   ofKey("", ""), Rules: []string{"KEY-2"},
	},
	{
		Name: tpt.NotValid.String(), Means: "The key is right, but its object stands for no memory now: a window that is not bound, a fast-register region that is not registered, or what a failed change left.",
		Arises: []string{"the key was invalidated (IBV_WR_LOCAL_INV, or the peer's IBV_WR_SEND_WITH_INV) while a request was on its way", "the key came from ibv_alloc_mw and was used before the first bind", "the message was under way when its key died"},
		Mend:   []string{"bind the window again (IBV_WR_BIND_MW) or register again (REG_MR), and send the new key", "send the peer the key only after the bind's completion, or in a SEND on the same queue pair behind it", "invalidate only when the peer has said that it is done"},
		Seen:   ofKey("", ""), Rules: []string{"MW-9", "MR-4", "RER-7", "REM-8"},
	},
	{
		Name: tpt.PDMismatch.String(), Means: "The object behind the key belongs to another protection domain than the queue pair that uses it.",
		Arises: []string{"each library or thread allocated a domain of its own", "the buffer of a shared receive queue is of the queue pair's domain, not of the SRQ's"},
		Mend:   []string{"pass the same ibv_pd to ibv_create_qp and to ibv_reg_mr or ibv_alloc_mw", "register the buffers of an SRQ in the SRQ's domain", "move a region with ibv_rereg_mr(IBV_REREG_MR_CHANGE_PD), and exchange its new key"},
		Seen:   ofKey("", ""), Rules: []string{"PD-2", "REM-13"},
	},
	{
		Name: tpt.QPMismatch.String(), Means: "The key is of a type 2 window, which works only through the queue pair that bound it.",
		Arises: []string{"the peer sends over another of several connections", "the connection was built again and the window is still bound to the old queue pair"},
		Mend:   []string{"send over the queue pair whose peer posted the IBV_WR_BIND_MW", "bind the window through the queue pair that the peer uses: invalidate it first", "use a type 1 window (ibv_bind_mw) where several queue pairs of a domain share a key"},
		Seen:   ofKey("", "")[1:2], Rules: []string{"MW-11"},
	},
	{
		Name: tpt.NoRight.String(), Means: "The object behind the key does not grant this kind of access.",
		Arises: []string{"the region was registered without IBV_ACCESS_REMOTE_WRITE, _READ or _ATOMIC; none of them implies another", "a READ or a receive lands in a region without IBV_ACCESS_LOCAL_WRITE", "the window was bound with fewer rights than its region has"},
		Mend:   []string{"add the missing flag to ibv_reg_mr (IBV_ACCESS_REMOTE_WRITE and _ATOMIC want IBV_ACCESS_LOCAL_WRITE beside them)", "or bind a window with that right, and give the peer its key instead", "where the region is there already: ibv_rereg_mr(IBV_REREG_MR_CHANGE_ACCESS), and send the new key"},
		Seen: []Sight{
			{"an L_Key, of the sink of a READ or atomic, found when the answer comes", locProt, "0x33"},
			{"an R_Key; both queue pairs go to IBV_QPS_ERR, the peer is told IBV_EVENT_QP_ACCESS_ERR", remAcc, ""},
			{"a receive's buffer: the receive " + locProt + ", the sender", remOp, ""},
		}, Rules: []string{"ACC-3", "ACC-4", "MW-5", "BND-5", "MR-7", "KEY-10"},
	},
	{
		Name: tpt.OutOfRange.String(), Means: "The bytes asked for do not all lie within the region or the window.",
		Arises: []string{"an offset was added twice, or to the address of another buffer", "the length counts a header that the region does not hold", "the window is smaller than its region, or zero-based: its addresses begin at 0"},
		Mend:   []string{"check addr >= mr->addr and length <= mr->length - (addr - mr->addr) before posting, of windows with the range that was bound", "register or bind all the bytes that the message may reach", "of a zero-based region or window send offsets, not addresses"},
		Seen:   ofKey("0x53", "0x88"), Rules: []string{"REM-11", "REM-12", "MR-9", "MW-7", "MW-8"},
	},
	{
		Name: tpt.NoTranslation.String(), Means: "The key grants the range, but there is no page behind it that the adapter could reach.",
		Arises: []string{"the memory of an on-demand region was unmapped, or protected against writing", "the IOMMU does not let the adapter through", "a page list of REG_MR names a page that is not there"},
		Mend:   []string{"keep the memory mapped and writable as long as its region lives; deregister before munmap", "of an on-demand region fetch the pages first: ibv_advise_mr(IBV_ADVISE_MR_ADVICE_PREFETCH_WRITE)", "check the IOMMU's mappings, and that nothing unmaps behind the driver's back"},
		Seen: []Sight{
			{"an L_Key", locProt, ""}, {"an R_Key whose page is not there", remAcc, ""},
			{"an R_Key, the request right but its memory out of reach", remOp, ""},
		}, Rules: []string{"MR-2", "3.1-8", "3.2-10"},
	},
	{
		Name: QPAccess, Means: "The responder's queue pair does not allow this kind of request at all; the key is not looked at.",
		Arises: []string{"qp_access_flags lack the right in the step to IBV_QPS_INIT", "max_dest_rd_atomic is 0 and the request is a READ or an atomic"},
		Mend:   []string{"set qp_access_flags with IBV_QP_ACCESS_FLAGS in ibv_modify_qp at the responder: it is a second gate beside the region's rights", "set max_dest_rd_atomic at the responder (step to RTR) and max_rd_atomic at the requester (step to RTS)"},
		Seen:   []Sight{{"both queue pairs go to IBV_QPS_ERR, the peer is told IBV_EVENT_QP_REQ_ERR", remInv, "0x8a"}}, Rules: []string{"QP-11", "3.2-4"},
	},
	{
		Name: BadRequest, Means: "The responder found the request itself wrong: the sequence of its packets, its lengths, or the address of an atomic.",
		Arises: []string{"an atomic whose address is no multiple of 8", "the two queue pairs have different path_mtu", "packets that no adapter makes"},
		Mend:   []string{"align the address of IBV_WR_ATOMIC_* to 8 bytes", "set the same path_mtu on both sides in the step to RTR"},
		Seen:   []Sight{{"both queue pairs go to IBV_QPS_ERR, the peer is told IBV_EVENT_QP_REQ_ERR", remInv, ""}}, Rules: []string{"3.2-3", "3.2-6", "3.2-7"},
	},
	{
		Name: ShortRecv, Means: "The message is longer than the receive request that it took.",
		Arises: []string{"receives were posted for another kind of message", "the SGEs of the receive add up to less than the header and the data"},
		Mend:   []string{"post receives as long as the longest message (ibv_post_recv, the sum of its SGEs)", "send the length in advance, or move large data by RDMA WRITE"},
		Seen:   []Sight{{"the receive IBV_WC_LOC_LEN_ERR, the sender", remInv, ""}}, Rules: []string{"LOC-12"},
	},
	{
		Name: NoRecv, Means: "The peer had no receive request posted, and after rnr_retry attempts the sender gave up.",
		Arises: []string{"the receiver reposts its receives too late, or too few", "the SRQ ran empty"},
		Mend:   []string{"post receives before the peer may send (ibv_post_recv in IBV_QPS_INIT already), and as many as can be under way", "set rnr_retry to 7, which has no limit, and min_rnr_timer to the time that the receiver needs", "give the sender credits for the receives that are posted"},
		Seen:   []Sight{{"the responder stays in IBV_QPS_RTS", "IBV_WC_RNR_RETRY_EXC_ERR", "0x87"}}, Rules: []string{"REM-17", "REM-18"},
	},
	{
		Name: NoAnswer, Means: "No acknowledgement came, and after retry_cnt attempts the requester gave up.",
		Arises: []string{"the peer's queue pair is not in RTR or RTS, was destroyed, or is in IBV_QPS_ERR: it drops requests silently", "packets were lost, more often than retry_cnt allows for", "the peer refused the key of an IBV_WR_SEND_WITH_INV, which it does in silence"},
		Mend:   []string{"look at the peer first: ibv_query_qp, its receives, its async events (ibv_get_async_event)", "exchange QP numbers, PSNs and addresses again, and bring both queue pairs to RTS before sending", "raise timeout (4.096 us x 2^timeout) and retry_cnt where the path loses packets"},
		Seen:   []Sight{{"the responder's state does not change by it", "IBV_WC_RETRY_EXC_ERR", "0x81"}},
	},
	{
		Name: Flushed, Means: "The queue pair was in an error state, so that the request was not carried out.",
		Arises: []string{"an earlier request of the queue pair failed, or the peer's was refused here", "the request was posted to a queue pair in IBV_QPS_ERR, or ibv_modify_qp put it there"},
		Mend:   []string{"find the first completion that is no IBV_WC_WR_FLUSH_ERR, and on the other side the async event: that is the failure", "bring the queue pair back: ibv_modify_qp to RESET, INIT, RTR, RTS, and post again"},
		Seen:   []Sight{{"every request and receive of the queue", "IBV_WC_WR_FLUSH_ERR", "0xf5"}}, Rules: []string{"QP-3", "BIN-6"},
	},
	{
		Name: BadLength, Means: "The pieces of the request do not make a message that can be sent.",
		Arises: []string{"the sink of an atomic is not 8 bytes", "the message has more than 2^31 bytes, or a datagram more than the path MTU"},
		Mend:   []string{"give IBV_WR_ATOMIC_* one SGE of 8 bytes", "cut the message to what port_attr.max_msg_sz, or of UD the MTU, allows"},
		Seen:   []Sight{{"nothing is sent", "IBV_WC_LOC_LEN_ERR", ""}}, Rules: []string{"LOC-6", "POST-5"},
	},
	{
		Name: Bind, Means: "The window was not bound: window, region, domain, rights or range do not go together. What it was bound to before stays.",
		Arises: []string{"the region lacks IBV_ACCESS_MW_BIND", "a type 2 window is bound again without being invalidated", "the window asks for more than the region can give"},
		Mend:   []string{"register the region with IBV_ACCESS_MW_BIND, and IBV_ACCESS_LOCAL_WRITE where the window may write"},
		Seen:   []Sight{{"the queue pair goes to IBV_QPS_ERR", "IBV_WC_MW_BIND_ERR", ""}, {"by ibv_bind_mw or ibv_post_send at once", "EINVAL or EPERM", ""}},
		Rules:  []string{"BND-1", "BND-2", "BND-6", "BND-7", "BND-8", "BND-9", "BIN-3", "BIN-4", "BIN-5"},
	},
	{
		Name: Invalidate, Means: "The key was not invalidated: it is not one that may be, or not by this queue pair. It goes on working.",
		Arises: []string{"the key is of a region of ibv_reg_mr, or of a type 1 window", "the key is not the current one, or the window was bound by another queue pair"},
		Mend:   []string{"invalidate only type 2 windows and fast-register regions, by their current key, over the queue pair of the bind", "end what cannot be invalidated with ibv_dereg_mr, or a zero-length ibv_bind_mw"},
		Seen: []Sight{{"IBV_WR_LOCAL_INV; the queue pair goes to IBV_QPS_ERR", "IBV_WC_MW_BIND_ERR", ""},
			{"IBV_WR_SEND_WITH_INV: the receive IBV_WC_MW_BIND_ERR, the sender, who hears nothing", "IBV_WC_RETRY_EXC_ERR", ""}},
		Rules: []string{"INV-2", "INV-3", "INV-4", "INV-8"},
	},
	{
		Name: Register, Means: "The fast registration was refused; the region is as it was.",
		Arises: []string{"the region is registered already, or is none of ib_alloc_mr", "more pages than were allocated, or rights that no region may have"},
		Mend:   []string{"invalidate the region (LOCAL_INV) before it is registered again, and wait for that or post behind it"},
		Seen:   []Sight{{"the queue pair goes to IBV_QPS_ERR", "IBV_WC_MW_BIND_ERR", ""}}, Rules: []string{"MR-5", "MR-8", "KEY-4", "ACC-19"},
	},
	{
		Name: Post, Means: "The request was refused at once, and nothing was queued: bad_wr points to it, and those before it are posted.",
		Arises: []string{"the queue pair is not in a state that takes it", "the queue is full, or the request has too many pieces, too much inline data, or an opcode that the service does not know"},
		Mend:   []string{"look at the errno of ibv_post_send or ibv_post_recv, and at bad_wr"},
		Seen:   []Sight{{"by ibv_post_send or ibv_post_recv at once", "EINVAL, ENOMEM or EOPNOTSUPP", ""}},
		Rules:  []string{"1.5", "QP-8", "QP-9", "LOC-9", "BIN-10", "POST-3", "POST-4"},
	},
	{
		Name: Verb, Means: "The verb was refused, and changed nothing.",
		Arises: []string{"an argument that no object may have, an object that others still hold on to, or a full table"},
		Mend:   []string{"look at the errno: EINVAL is an argument, EBUSY something that still holds on, ENOMEM a limit, EFAULT memory that is not mapped so, ENOENT an object that is gone"},
		Seen:   []Sight{{"by the verb", "EINVAL, EBUSY, ENOMEM, EFAULT, ENOENT, EPERM, EACCES or EOPNOTSUPP", ""}},
		Rules: []string{"ACC-1", "ACC-5", "ACC-6", "ACC-7", "ACC-10", "ACC-11", "ACC-12", "ACC-13", "ACC-14", "ACC-18", "DER-1", "DER-5", "RER-1", "RER-3",
			"RER-4", "RER-5", "RER-6", "RER-12", "PD-1", "PD-3", "QPD-3", "QPD-5", "QP-1", "MW-12"},
	},
}
