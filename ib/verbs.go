package ib

// AccessFlags are the rights of a region or window (ibv_access_flags).
type AccessFlags uint32

// The access flags, with the values of libibverbs' verbs.h.
const (
	LocalWrite      AccessFlags = 0x1
	RemoteWrite     AccessFlags = 0x2
	RemoteRead      AccessFlags = 0x4
	RemoteAtomic    AccessFlags = 0x8
	MWBind          AccessFlags = 0x10
	ZeroBased       AccessFlags = 0x20
	OnDemand        AccessFlags = 0x40
	HugeTLB         AccessFlags = 0x80
	FlushGlobal     AccessFlags = 0x100
	FlushPersistent AccessFlags = 0x200
	RelaxedOrdering AccessFlags = 0x100000

	// OptionalAccess is the range of flags that a device may ignore (ACC-5).
	OptionalAccess AccessFlags = 0x3FF00000
)

// SendFlags modify a send work request (ibv_send_flags).
type SendFlags uint8

// The send flags, with the values of verbs.h.
const (
	Fence     SendFlags = 1
	Signaled  SendFlags = 2
	Solicited SendFlags = 4
	Inline    SendFlags = 8
)

// WCFlags say which optional fields of a completion are valid.
type WCFlags uint8

// The completion flags, with the values of verbs.h.
const (
	WithImm WCFlags = 2
	WithInv WCFlags = 8
)

// A WROpcode is what a send work request asks for (ibv_wr_opcode).
type WROpcode uint8

// The work-request opcodes, with the values of verbs.h; WRRegMR is the
// kernel's.
const (
	WRRDMAWrite         WROpcode = 0
	WRRDMAWriteWithImm  WROpcode = 1
	WRSend              WROpcode = 2
	WRSendWithImm       WROpcode = 3
	WRRDMARead          WROpcode = 4
	WRAtomicCmpAndSwp   WROpcode = 5
	WRAtomicFetchAndAdd WROpcode = 6
	WRLocalInv          WROpcode = 7
	WRBindMW            WROpcode = 8
	WRSendWithInv       WROpcode = 9
	WRRegMR             WROpcode = 0x20
)

// A WCOpcode is what a completion reports (ibv_wc_opcode).
type WCOpcode uint8

// The completion opcodes, with the values of verbs.h; WCRegMR is the
// kernel's.
const (
	WCSend            WCOpcode = 0
	WCRDMAWrite       WCOpcode = 1
	WCRDMARead        WCOpcode = 2
	WCCompSwap        WCOpcode = 3
	WCFetchAdd        WCOpcode = 4
	WCBindMW          WCOpcode = 5
	WCLocalInv        WCOpcode = 6
	WCRegMR           WCOpcode = 0x20
	WCRecv            WCOpcode = 128
	WCRecvRDMAWithImm WCOpcode = 129
)

// A WCStatus is the outcome of a work request (ibv_wc_status).
type WCStatus uint8

// The completion statuses, with the values of verbs.h.
const (
	Success          WCStatus = 0
	LocLenErr        WCStatus = 1
	LocQPOpErr       WCStatus = 2
	LocEECOpErr      WCStatus = 3
	LocProtErr       WCStatus = 4
	WRFlushErr       WCStatus = 5
	MWBindErr        WCStatus = 6
	BadRespErr       WCStatus = 7
	LocAccessErr     WCStatus = 8
	RemInvReqErr     WCStatus = 9
	RemAccessErr     WCStatus = 10
	RemOpErr         WCStatus = 11
	RetryExcErr      WCStatus = 12
	RNRRetryExcErr   WCStatus = 13
	LocRDDViolErr    WCStatus = 14
	RemInvRDReqErr   WCStatus = 15
	RemAbortErr      WCStatus = 16
	InvEECNErr       WCStatus = 17
	InvEECStateErr   WCStatus = 18
	FatalErr         WCStatus = 19
	RespTimeoutErr   WCStatus = 20
	GeneralErr       WCStatus = 21
	TMErr            WCStatus = 22
	TMRndvIncomplete WCStatus = 23
)

// A QPState is a state of a queue pair (ibv_qp_state).
type QPState uint8

// The queue-pair states, with the values of verbs.h.
const (
	Reset QPState = 0
	Init  QPState = 1
	RTR   QPState = 2
	RTS   QPState = 3
	SQD   QPState = 4
	SQE   QPState = 5
	Err   QPState = 6
)

// A QPType is a transport service (ibv_qp_type).
type QPType uint8

// The transport services, with the values of verbs.h.
const (
	RC QPType = 2
	UC QPType = 3
	UD QPType = 4
)

// An MWType is the type of a memory window as the API names it
// (ibv_mw_type); which flavour of type 2 a device has is a property of the
// device (MW-1).
type MWType uint8

// The window types, with the values of verbs.h.
const (
	MWType1 MWType = 1
	MWType2 MWType = 2
)

// An EventType is an asynchronous event (ibv_event_type).
type EventType uint8

// The asynchronous events, with the values of verbs.h.
const (
	EventCQErr            EventType = 0
	EventQPFatal          EventType = 1
	EventQPReqErr         EventType = 2
	EventQPAccessErr      EventType = 3
	EventCommEst          EventType = 4
	EventSQDrained        EventType = 5
	EventPathMig          EventType = 6
	EventPathMigErr       EventType = 7
	EventDeviceFatal      EventType = 8
	EventPortActive       EventType = 9
	EventPortErr          EventType = 10
	EventLIDChange        EventType = 11
	EventPKeyChange       EventType = 12
	EventSMChange         EventType = 13
	EventSRQErr           EventType = 14
	EventSRQLimitReached  EventType = 15
	EventQPLastWQEReached EventType = 16
)

// An Errno is the immediate result of a verb; zero is success. Linux values.
type Errno uint8

// The error numbers that verbs return.
const (
	OK         Errno = 0
	EPERM      Errno = 1
	ENOENT     Errno = 2
	ENOMEM     Errno = 12
	EACCES     Errno = 13
	EFAULT     Errno = 14
	EBUSY      Errno = 16
	EINVAL     Errno = 22
	EOPNOTSUPP Errno = 95
)

// ReregFlags say what ibv_rereg_mr changes.
type ReregFlags uint8

// The flags of ibv_rereg_mr, with the values of verbs.h.
const (
	ReregTranslation ReregFlags = 1
	ReregPD          ReregFlags = 2
	ReregAccess      ReregFlags = 4
)

// A ReregResult is what ibv_rereg_mr returns.
type ReregResult int8

// The results of ibv_rereg_mr, with the values of verbs.h.
const (
	ReregOK               ReregResult = 0
	ReregErrInput         ReregResult = -1
	ReregErrDontForkNew   ReregResult = -2
	ReregErrDoForkOld     ReregResult = -3
	ReregErrCmd           ReregResult = -4
	ReregErrCmdAndForkNew ReregResult = -5
)
