package ib

var wrOpcodeNames = vocabulary{"WROpcode", "IBV_WR_", []string{
	WRRDMAWrite: "IBV_WR_RDMA_WRITE", WRRDMAWriteWithImm: "IBV_WR_RDMA_WRITE_WITH_IMM",
	WRSend: "IBV_WR_SEND", WRSendWithImm: "IBV_WR_SEND_WITH_IMM", WRRDMARead: "IBV_WR_RDMA_READ",
	WRAtomicCmpAndSwp: "IBV_WR_ATOMIC_CMP_AND_SWP", WRAtomicFetchAndAdd: "IBV_WR_ATOMIC_FETCH_AND_ADD",
	WRLocalInv: "IBV_WR_LOCAL_INV", WRBindMW: "IBV_WR_BIND_MW", WRSendWithInv: "IBV_WR_SEND_WITH_INV",
	WRRegMR: "IBV_WR_REG_MR",
}}

// String returns libibverbs' name: IBV_WR_RDMA_WRITE.
func (o WROpcode) String() string { return wrOpcodeNames.name(int(o)) }

// Short returns the name without IBV_WR_.
func (o WROpcode) Short() string { return wrOpcodeNames.short(int(o)) }

// ParseWROpcode returns the opcode that s names, in full or in short.
func ParseWROpcode(s string) (WROpcode, bool) {
	i, ok := wrOpcodeNames.value(s)
	return WROpcode(i), ok
}

// WROpcodeNames returns every name that ParseWROpcode takes, short ones first.
func WROpcodeNames() []string { return wrOpcodeNames.words() }

var wcOpcodeNames = vocabulary{"WCOpcode", "IBV_WC_", []string{
	WCSend: "IBV_WC_SEND", WCRDMAWrite: "IBV_WC_RDMA_WRITE", WCRDMARead: "IBV_WC_RDMA_READ",
	WCCompSwap: "IBV_WC_COMP_SWAP", WCFetchAdd: "IBV_WC_FETCH_ADD", WCBindMW: "IBV_WC_BIND_MW",
	WCLocalInv: "IBV_WC_LOCAL_INV", WCRegMR: "IBV_WC_REG_MR", WCRecv: "IBV_WC_RECV",
	WCRecvRDMAWithImm: "IBV_WC_RECV_RDMA_WITH_IMM",
}}

// String returns libibverbs' name: IBV_WC_RECV.
func (o WCOpcode) String() string { return wcOpcodeNames.name(int(o)) }

// Short returns the name without IBV_WC_.
func (o WCOpcode) Short() string { return wcOpcodeNames.short(int(o)) }

// ParseWCOpcode returns the opcode that s names, in full or in short.
func ParseWCOpcode(s string) (WCOpcode, bool) {
	i, ok := wcOpcodeNames.value(s)
	return WCOpcode(i), ok
}

// WCOpcodeNames returns every name that ParseWCOpcode takes, short ones first.
func WCOpcodeNames() []string { return wcOpcodeNames.words() }

var qpStateNames = vocabulary{"QPState", "IBV_QPS_", []string{
	Reset: "IBV_QPS_RESET", Init: "IBV_QPS_INIT", RTR: "IBV_QPS_RTR", RTS: "IBV_QPS_RTS",
	SQD: "IBV_QPS_SQD", SQE: "IBV_QPS_SQE", Err: "IBV_QPS_ERR",
}}

// String returns libibverbs' name: IBV_QPS_RTS.
func (s QPState) String() string { return qpStateNames.name(int(s)) }

// Short returns the name without IBV_QPS_.
func (s QPState) Short() string { return qpStateNames.short(int(s)) }

// ParseQPState returns the state that s names, in full or in short.
func ParseQPState(s string) (QPState, bool) {
	i, ok := qpStateNames.value(s)
	return QPState(i), ok
}

// QPStateNames returns every name that ParseQPState takes, short ones first.
func QPStateNames() []string { return qpStateNames.words() }

var qpTypeNames = vocabulary{"QPType", "IBV_QPT_", []string{
	RC: "IBV_QPT_RC", UC: "IBV_QPT_UC", UD: "IBV_QPT_UD",
}}

// String returns libibverbs' name: IBV_QPT_RC.
func (t QPType) String() string { return qpTypeNames.name(int(t)) }

// Short returns the name without IBV_QPT_.
func (t QPType) Short() string { return qpTypeNames.short(int(t)) }

// ParseQPType returns the transport service that s names, in full or in short.
func ParseQPType(s string) (QPType, bool) {
	i, ok := qpTypeNames.value(s)
	return QPType(i), ok
}

// QPTypeNames returns every name that ParseQPType takes, short ones first.
func QPTypeNames() []string { return qpTypeNames.words() }

var mwTypeNames = vocabulary{"MWType", "IBV_MW_", []string{
	MWType1: "IBV_MW_TYPE_1", MWType2: "IBV_MW_TYPE_2",
}}

// String returns libibverbs' name: IBV_MW_TYPE_1.
func (t MWType) String() string { return mwTypeNames.name(int(t)) }

// Short returns the name without IBV_MW_.
func (t MWType) Short() string { return mwTypeNames.short(int(t)) }
