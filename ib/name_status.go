package ib

import "strconv"

var wcStatusNames = vocabulary{"WCStatus", "IBV_WC_", []string{
	Success: "IBV_WC_SUCCESS", LocLenErr: "IBV_WC_LOC_LEN_ERR", LocQPOpErr: "IBV_WC_LOC_QP_OP_ERR",
	LocEECOpErr: "IBV_WC_LOC_EEC_OP_ERR", LocProtErr: "IBV_WC_LOC_PROT_ERR",
	WRFlushErr: "IBV_WC_WR_FLUSH_ERR", MWBindErr: "IBV_WC_MW_BIND_ERR", BadRespErr: "IBV_WC_BAD_RESP_ERR",
	LocAccessErr: "IBV_WC_LOC_ACCESS_ERR", RemInvReqErr: "IBV_WC_REM_INV_REQ_ERR",
	RemAccessErr: "IBV_WC_REM_ACCESS_ERR", RemOpErr: "IBV_WC_REM_OP_ERR", RetryExcErr: "IBV_WC_RETRY_EXC_ERR",
	RNRRetryExcErr: "IBV_WC_RNR_RETRY_EXC_ERR", LocRDDViolErr: "IBV_WC_LOC_RDD_VIOL_ERR",
	RemInvRDReqErr: "IBV_WC_REM_INV_RD_REQ_ERR", RemAbortErr: "IBV_WC_REM_ABORT_ERR",
	InvEECNErr: "IBV_WC_INV_EECN_ERR", InvEECStateErr: "IBV_WC_INV_EEC_STATE_ERR",
	FatalErr: "IBV_WC_FATAL_ERR", RespTimeoutErr: "IBV_WC_RESP_TIMEOUT_ERR",
	GeneralErr: "IBV_WC_GENERAL_ERR", TMErr: "IBV_WC_TM_ERR", TMRndvIncomplete: "IBV_WC_TM_RNDV_INCOMPLETE",
}}

// String returns libibverbs' name: IBV_WC_REM_ACCESS_ERR.
func (s WCStatus) String() string { return wcStatusNames.name(int(s)) }

// Short returns the name without IBV_WC_.
func (s WCStatus) Short() string { return wcStatusNames.short(int(s)) }

// ParseWCStatus returns the status that s names, in full or in short.
func ParseWCStatus(s string) (WCStatus, bool) {
	i, ok := wcStatusNames.value(s)
	return WCStatus(i), ok
}

// WCStatusNames returns every name that ParseWCStatus takes, short ones first.
func WCStatusNames() []string { return wcStatusNames.words() }

var eventTypeNames = vocabulary{"EventType", "IBV_EVENT_", []string{
	EventCQErr: "IBV_EVENT_CQ_ERR", EventQPFatal: "IBV_EVENT_QP_FATAL", EventQPReqErr: "IBV_EVENT_QP_REQ_ERR",
	EventQPAccessErr: "IBV_EVENT_QP_ACCESS_ERR", EventCommEst: "IBV_EVENT_COMM_EST",
	EventSQDrained: "IBV_EVENT_SQ_DRAINED", EventPathMig: "IBV_EVENT_PATH_MIG",
	EventPathMigErr: "IBV_EVENT_PATH_MIG_ERR", EventDeviceFatal: "IBV_EVENT_DEVICE_FATAL",
	EventPortActive: "IBV_EVENT_PORT_ACTIVE", EventPortErr: "IBV_EVENT_PORT_ERR",
	EventLIDChange: "IBV_EVENT_LID_CHANGE", EventPKeyChange: "IBV_EVENT_PKEY_CHANGE",
	EventSMChange: "IBV_EVENT_SM_CHANGE", EventSRQErr: "IBV_EVENT_SRQ_ERR",
	EventSRQLimitReached: "IBV_EVENT_SRQ_LIMIT_REACHED", EventQPLastWQEReached: "IBV_EVENT_QP_LAST_WQE_REACHED",
}}

// String returns libibverbs' name: IBV_EVENT_QP_ACCESS_ERR.
func (t EventType) String() string { return eventTypeNames.name(int(t)) }

// Short returns the name without IBV_EVENT_.
func (t EventType) Short() string { return eventTypeNames.short(int(t)) }

// ParseEventType returns the event that s names, in full or in short.
func ParseEventType(s string) (EventType, bool) {
	i, ok := eventTypeNames.value(s)
	return EventType(i), ok
}

// EventTypeNames returns every name that ParseEventType takes, short ones
// first.
func EventTypeNames() []string { return eventTypeNames.words() }

var errnoNames = vocabulary{"Errno", "", []string{
	OK: "OK", EPERM: "EPERM", ENOENT: "ENOENT", ENOMEM: "ENOMEM", EACCES: "EACCES",
	EFAULT: "EFAULT", EBUSY: "EBUSY", EINVAL: "EINVAL", EOPNOTSUPP: "EOPNOTSUPP",
}}

// String returns the name of errno.h, and OK for success.
func (e Errno) String() string { return errnoNames.name(int(e)) }

// Short is String: error numbers have one name.
func (e Errno) Short() string { return e.String() }

// ParseErrno returns the error number that s names.
func ParseErrno(s string) (Errno, bool) {
	i, ok := errnoNames.value(s)
	return Errno(i), ok
}

// ErrnoNames returns every name that ParseErrno takes.
func ErrnoNames() []string { return errnoNames.words() }

// The results of ibv_rereg_mr stand at the index of their negative.
var reregResultNames = vocabulary{"ReregResult", "IBV_REREG_MR_", []string{
	-ReregOK: "IBV_REREG_MR_OK", -ReregErrInput: "IBV_REREG_MR_ERR_INPUT",
	-ReregErrDontForkNew: "IBV_REREG_MR_ERR_DONT_FORK_NEW", -ReregErrDoForkOld: "IBV_REREG_MR_ERR_DO_FORK_OLD",
	-ReregErrCmd: "IBV_REREG_MR_ERR_CMD", -ReregErrCmdAndForkNew: "IBV_REREG_MR_ERR_CMD_AND_DO_FORK_NEW",
}}

// String returns libibverbs' name: IBV_REREG_MR_ERR_CMD. Success has none
// there; here it is IBV_REREG_MR_OK.
func (r ReregResult) String() string {
	if r > 0 || -int(r) >= len(reregResultNames.full) {
		return "ReregResult(" + strconv.Itoa(int(r)) + ")"
	}
	return reregResultNames.name(-int(r))
}

// Short returns the name without IBV_REREG_MR_.
func (r ReregResult) Short() string {
	if r > 0 || -int(r) >= len(reregResultNames.full) {
		return r.String()
	}
	return reregResultNames.short(-int(r))
}

// ParseReregResult returns the result that s names, in full or in short.
func ParseReregResult(s string) (ReregResult, bool) {
	i, ok := reregResultNames.value(s)
	return ReregResult(-i), ok
}

// ReregResultNames returns every name that ParseReregResult takes, short ones
// first.
func ReregResultNames() []string { return reregResultNames.words() }
