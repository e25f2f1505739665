package reference

// A chapter is a part of the book: its entries, in order.
type chapter struct {
	name, title, about string
	entries            []heading
}

// A heading says which definitions of the schema an entry is made of: the first
// that has fields gives them. Of the root it is "".
type heading struct {
	name string
	defs []string
}

// book is the order of the language. Verbs are put in by the schema's order.
var book = []chapter{
	{"file", "The file", "What stands at the left margin of a scenario, or of an opening that scenarios use.", []heading{
		{"file", []string{""}}, {"run", []string{"Run"}}, {"limits", []string{"Limits"}}, {"defaults", []string{"Defaults"}}, {"variant", []string{"Variant"}},
		{"case", []string{"Case"}}, {"record", []string{"Record"}}, {"threshold", []string{"Threshold"}},
	}},
	{"hosts", "Hosts", "What is there before time 0. It costs nothing.", []heading{
		{"host", []string{"Host"}}, {"mem", []string{"MemDeclared"}}, {"span", []string{"Span"}}, {"qp", []string{"QP"}},
	}},
	{"steps", "Steps", "An entry of ops: has one verb, and says when it begins and what must come of it.", []heading{
		{"step", []string{"Step"}}, {"after", []string{"AfterForm"}},
	}},
	{"verbs", "Verbs", "Calls of libibverbs by their names, work requests (wr_), what CPU and operating system do, and what directs the run.", nil},
	{"parts", "Parts of steps", "What stands within a verb.", []heading{
		{"wr", []string{"WR"}}, {"sge", []string{"SGE"}}, {"remote", []string{"Remote"}}, {"bind", []string{"Bind"}}, {"reg", []string{"Reg"}},
		{"recv", []string{"RecvWR"}}, {"pattern", []string{"Pattern"}}, {"sizes", []string{"SizesForm"}}, {"warmup", []string{"WarmupForm"}},
	}},
	{"expectations", "Expectations", "What must come of a step, in its expect:, or of the run, in that of the file or the case.", []heading{
		{"expect", []string{"Expect"}}, {"completion", []string{"WcForm"}}, {"refusal", []string{"FaultForm"}}, {"bytes", []string{"MemoryForm"}},
		{"qpstate", []string{"StateForm"}}, {"entry", []string{"ObjectForm"}}, {"newkey", []string{"KeyExpectForm"}},
		{"event", []string{"EventForm"}}, {"nak", []string{"NakForm"}}, {"seen", []string{"PacketForm"}}, {"bounds", []string{"BoundsForm", "Bounds"}},
	}},
	{"values", "Values", "How a number, a name or a set of words is written. A variable of vars:, $name, may stand for most of them.", []heading{
		{"name", []string{"Name"}}, {"object", []string{"Ref"}}, {"key", []string{"KeyForm", "KeyExpr"}}, {"data", []string{"DataForm", "Data"}},
		{"size", []string{"sim.Bytes", "sim.BytesBare", "sim.BytesBare1"}}, {"time", []string{"sim.Duration"}}, {"offset", []string{"Offset"}},
		{"address", []string{"Address"}}, {"count", []string{"Count"}}, {"change", []string{"Delta"}}, {"quantity", []string{"Quantity"}},
		{"share", []string{"Tolerance"}}, {"probability", []string{"Probability"}}, {"variable", []string{"variable"}},
		{"prot", []string{"Prot"}}, {"rights", []string{"ib.AccessFlags"}}, {"opcode", []string{"Opcode", "ib.WROpcode"}},
		{"sendflags", []string{"ib.SendFlags"}}, {"status", []string{"ib.WCStatus"}}, {"wcopcode", []string{"ib.WCOpcode"}},
		{"wcflags", []string{"ib.WCFlags"}}, {"errno", []string{"ib.Errno"}}, {"rereg", []string{"ib.ReregResult"}},
		{"reregflags", []string{"ib.ReregFlags"}}, {"qptype", []string{"ib.QPType"}}, {"state", []string{"ib.QPState"}},
		{"eventname", []string{"ib.EventType"}}, {"cause", []string{"tpt.Fault"}}, {"packetopcode", []string{"ib.Opcode", "PacketOpcode"}},
		{"psn", []string{"PSN"}}, {"syndrome", []string{"Syndrome"}},
	}},
}

// written are the forms of values that a schema tells by patterns.
var written = map[string]string{
	"name": "text", "object": "NAME, HOST.NAME, NAME#3 of an array, HOST.NAME#3", "size": "64B, 4KiB, 1.5MiB, 2GiB; 4kB, 2MB, 1GB are decimal",
	"time": "500ps, 3.5ns, 20us, 1.5ms, 2s", "offset": "integer of bytes, or a [size], with a sign if wanted: 64, 4KiB, -1",
	"count": "integer from 1, or 1.5k, 10M, 1G", "quantity": "number, or a number with a unit: 3us, 4KiB, 100Gb/s, 5Mop/s", "share": "2%, 0.5 %",
	"probability": "number 0 … 1, or 0.1 %, or 1/1000", "variable": "$name, ${name}, ${name*2}", "threshold": `FIGURE RELATION VALUE, with <, <=, ==, !=, >= or >`,
	"bounds": `"<= 3us", ">= 10 x ID", a list of these, or a mapping`,
}

// sameAs are definitions that an entry tells under another name: the forms of a
// verb, and what is declared under hosts:, where an opening may have said what
// is required.
var sameAs = map[string]string{"Mem": "MemDeclared", "PostForm": "post_send", "RecvForm": "post_recv", "WaitForm": "wait", "LoopForm": "loop"}
