package perf

// A Refused is an option of perftest that means nothing here, and why.
type Refused struct {
	Short, Name string
	Value       bool // it takes one
	Why         string
}

// The reasons that several options share.
const (
	noDevice   = "there is no device to choose: --profile says which is simulated"
	noPort     = "there is one port and no subnet: both ends of a cable"
	noSocket   = "both ends are simulated: nothing is exchanged over a socket"
	noProcess  = "there is no other program to agree with"
	noClock    = "the processor that perftest would run on is not simulated; times are simulated ones"
	noGPU      = "only the memory of the host is modelled"
	noCrypto   = "encryption and signatures are not modelled"
	noEthernet = "raw Ethernet is not modelled"
	noLimit    = "not modelled as perftest does it; a scenario's traffic has rate: (--scenario prints one)"
	noEvents   = "software polls; a scenario can wait for events (req_notify_cq)"
	noHint     = "hints to the host are not modelled; see hcasim params host"
	noSRQ      = "traffic posts its receives to each queue pair; a scenario can have an SRQ (create_srq)"
	noRows     = "rounds are kept as a histogram, not one by one; hcasim run shows those of a loop"
)

// Unmeant are the options of perftest that mean nothing in a simulation, or are
// not simulated: whoever gives one is told so, not left in the belief that it
// was heeded.
var Unmeant = []Refused{
	{"d", "ib-dev", true, noDevice},
	{"i", "ib-port", true, noPort},
	{"p", "port", true, noSocket},
	{"R", "rdma_cm", false, noSocket},
	{"z", "comm_rdma_cm", false, noSocket},
	{"", "retry_count", true, noSocket},
	{"T", "tos", true, noSocket},
	{"x", "gid-index", true, noPort},
	{"S", "sl", true, "there is one virtual lane"},
	{"", "pkey_index", true, "partitions are not modelled"},
	{"", "dlid", true, noPort},
	{"", "tclass", true, noPort},
	{"", "force-link", true, "wire.protocol says what the link is: --set wire.protocol=…"},
	{"", "ipv6", false, noSocket},
	{"", "ipv6-addr", false, noSocket},
	{"", "bind_source_ip", true, noSocket},
	{"", "dont_xchg_versions", false, noProcess},
	{"", "use_old_post_send", false, noProcess},
	{"O", "dualport", false, noPort},
	{"", "report-per-port", false, noPort},
	{"g", "mcg", false, "multicast is not modelled"},
	{"M", "MGID", true, "multicast is not modelled"},
	{"e", "events", false, noEvents},
	{"X", "vector", true, noEvents},
	{"C", "report-cycles", false, noClock},
	{"", "cpu_util", false, noClock},
	{"H", "report-histogram", false, noRows},
	{"U", "report-unsorted", false, noRows},
	{"W", "report-counters", true, "the figures of a run are in stats.csv of its folder: --out keeps it"},
	{"", "out_json", false, "--format json prints it"},
	{"", "out_json_file", true, "--format json prints it"},
	{"", "report-both", false, "a scenario shows each way on its own: --scenario prints it, hcasim run runs it"},
	{"", "reversed", false, "both hosts are alike; --set hosts.client.… and hosts.server.… make them differ"},
	{"", "run_infinitely", false, "a simulation ends"},
	{"", "use-srq", false, noSRQ},
	{"", "inline_recv", true, "data scattered into a completion are not modelled"},
	{"", "latency_gap", true, noLimit},
	{"", "rate_limit", true, noLimit},
	{"", "rate_limit_type", true, noLimit},
	{"", "rate_units", true, noLimit},
	{"", "burst_size", true, noLimit},
	{"", "typical_pkt_size", true, noLimit},
	{"w", "limit_bw", true, "a scenario has thresholds: (--scenario prints one)"},
	{"y", "limit_msgrate", true, "a scenario has thresholds: (--scenario prints one)"},
	{"", "recv_post_list", true, "each receive is posted again as it completes"},
	{"", "cqe_poll", true, "completions are polled one by one"},
	{"", "wait_destroy", true, "nothing is left to be looked at"},
	{"", "mmap", true, "memory has no file behind it"},
	{"", "mmap-offset", true, "memory has no file behind it"},
	{"", "payload_file_path", true, "no time depends on what the bytes are"},
	{"", "use-null-mr", false, "null regions are not modelled"},
	{"", "use_ooo", false, "data are placed in order"},
	{"", "disable_pcie_relaxed", false, "writes to memory are ordered as PCIe has it: see hcasim params host.pcie"},
	{"", "tph_mem", true, noHint},
	{"", "cpu_id", true, noHint},
	{"", "ph", true, noHint},
	{"", "log_dci_streams", true, "DC is not modelled"},
	{"", "log_active_dci_streams", true, "DC is not modelled"},
	{"", "aes_xts", false, noCrypto},
	{"", "encrypt_on_tx", false, noCrypto},
	{"", "sig_before", false, noCrypto},
	{"", "sig_offload", false, noCrypto},
	{"", "aes_block_size", true, noCrypto},
	{"", "data_enc_keys_number", true, noCrypto},
	{"", "kek_path", true, noCrypto},
	{"", "credentials_path", true, noCrypto},
	{"", "data_enc_key_app_path", true, noCrypto},
	{"", "use_cuda", true, noGPU},
	{"", "use_cuda_bus_id", true, noGPU},
	{"", "use_cuda_dmabuf", false, noGPU},
	{"", "cuda_mem_type", true, noGPU},
	{"", "use_rocm", true, noGPU},
	{"", "use_rocm_dmabuf", false, noGPU},
	{"", "use_hl", true, noGPU},
	{"", "use_neuron", true, noGPU},
	{"", "use_neuron_dmabuf", false, noGPU},
	{"", "use_mlu", true, noGPU},
	{"", "use_mlu_dmabuf", false, noGPU},
	{"", "use_opencl", true, noGPU},
	{"", "opencl_platform_id", true, noGPU},
	{"", "use_ib_dm_dmabuf", true, noGPU},
	{"", "gpu_touch", true, noGPU},
	{"B", "source_mac", true, noEthernet},
	{"E", "dest_mac", true, noEthernet},
	{"G", "use_rss", false, noEthernet},
	{"J", "dest_ip", true, noEthernet},
	{"K", "dest_port", true, noEthernet},
	{"k", "source_port", true, noEthernet},
	{"L", "hop_limit", true, noEthernet},
	{"P", "client", false, noEthernet},
	{"Z", "server", false, noEthernet},
}
