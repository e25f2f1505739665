//go:build tools

package capture

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"hcasim/ib"
)

// tshark shows fields of a capture, a line a frame, tabs between them.
func tshark(t *testing.T, file []byte, args []string, fields ...string) [][]string {
	t.Helper()
	dir := t.TempDir()
	name, script := filepath.Join(dir, "capture.pcapng"), filepath.Join(dir, DissectorName)
	for n, text := range map[string][]byte{name: file, script: Dissector} {
		if err := os.WriteFile(n, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	args = append([]string{"-X", "lua_script:" + script, "-r", name, "-T", "fields"}, args...)
	for _, f := range fields {
		args = append(args, "-e", f)
	}
	cmd := exec.Command("tshark", args...)
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Run(); err != nil {
		t.Fatalf("tshark: %v\n%s", err, said.String())
	}
	var lines [][]string
	for line := range strings.Lines(out.String()) {
		lines = append(lines, strings.Split(strings.TrimSuffix(line, "\n"), "\t"))
	}
	return lines
}

// perhaps is a field that only some opcodes have.
func perhaps(there bool, format string, v any) string {
	if !there {
		return ""
	}
	return fmt.Sprintf(format, v)
}

// TestTsharkWire holds what tshark reads of a capture to what the model had on
// its wire. The sections of many runs are one file: tshark takes long to begin.
func TestTsharkWire(t *testing.T) {
	files, err := filepath.Glob("../../scenarios/verbs/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	files = append(files, "../../scenarios/quickstart.yaml", "../../scenarios/faults/remote-key.yaml", "../../scenarios/faults/silence.yaml")
	for _, protocol := range []string{"ib", "roce_v4", "roce_v6"} {
		var all []byte
		var sent []shown
		for _, file := range files {
			captures, packets := captureOf(t, file, "wire", "wire.protocol="+protocol)
			for i := range captures {
				all, sent = append(all, captures[i]...), append(sent, packets[i]...)
			}
		}
		lines := tshark(t, all, nil, "infiniband.bth.opcode", "infiniband.bth.psn", "infiniband.bth.destqp",
			"infiniband.reth.va", "infiniband.reth.r_key", "infiniband.reth.dmalen",
			"infiniband.aeth.syndrome", "infiniband.aeth.msn", "infiniband.ieth", "infiniband.immdt")
		if len(lines) != len(sent) {
			t.Fatalf("%s: tshark reads %d frames of %d", protocol, len(lines), len(sent))
		}
		naks := 0
		for k := range lines {
			want := fieldsOf(&sent[k].headers)
			for f := range want {
				if lines[k][f] != want[f] {
					t.Errorf("%s frame %d %v, field %d: tshark reads %q, the model sent %q", protocol, k+1, sent[k].headers.BTH.Opcode, f, lines[k][f], want[f])
				}
			}
			if want[6] != "" && sent[k].headers.AETH.Syndrome.IsNAK() {
				naks++
			}
		}
		if len(lines) < 200 || naks < 10 {
			t.Errorf("%s: only %d frames, %d NAKs", protocol, len(lines), naks)
		}
	}
}

// fieldsOf are the fields of a packet as tshark writes them: VA and R_Key of
// the AtomicETH are called those of a RETH, and IETH and ImmDt are shown in
// the tree twice.
func fieldsOf(h *ib.Headers) []string {
	o := h.BTH.Opcode
	va, key := h.RETH.VA, h.RETH.RKey
	if o.HasAtomicETH() {
		va, key = h.Atomic.VA, h.Atomic.RKey
	}
	aims := o.HasRETH() || o.HasAtomicETH()
	return []string{
		fmt.Sprint(uint8(o)), fmt.Sprint(uint32(h.BTH.PSN)), fmt.Sprintf("0x%06x", uint32(h.BTH.DestQP)),
		perhaps(aims, "0x%016x", va), perhaps(aims, "0x%08x", uint32(key)), perhaps(o.HasRETH(), "%d", h.RETH.Length),
		perhaps(o.HasAETH(), "%d", uint8(h.AETH.Syndrome)), perhaps(o.HasAETH(), "%d", h.AETH.MSN),
		perhaps(o.HasIETH(), "%08[1]x,%08[1]x", uint32(h.IETH.RKey)), perhaps(o.HasImm(), "%08[1]x,%08[1]x", uint32(h.Imm.Data)),
	}
}

// TestTsharkFilter is the line of the documentation: which requests were
// refused, and why.
func TestTsharkFilter(t *testing.T) {
	for _, protocol := range []string{"ib", "roce_v4"} {
		captures, _ := captureOf(t, "../../scenarios/quickstart.yaml", "wire", "wire.protocol="+protocol)
		lines := tshark(t, captures[0], []string{"-Y", "infiniband.aeth.syndrome.error_code==2"}, "frame.comment")
		if len(lines) != 1 || !strings.Contains(lines[0][0], "op 4 ") || !strings.Contains(lines[0][0], "rule KEY-2") {
			t.Errorf("%s: %q", protocol, lines)
		}
	}
}

// TestTsharkPCIe reads TLPs with the script that comes along.
func TestTsharkPCIe(t *testing.T) {
	captures, _ := captureOf(t, "../../scenarios/quickstart.yaml", "all")
	frames, _ := readAll(t, captures[0])
	lines := tshark(t, captures[0], nil, "_ws.col.Protocol", "pcie_tlp.type", "pcie_tlp.length", "pcie_tlp.byte_count", "pcie_tlp.tag", "frame.comment")
	if len(lines) != len(frames) {
		t.Fatalf("%d lines of %d frames", len(lines), len(frames))
	}
	kinds := map[string]int{}
	read := map[string]uint64{} // bytes, by type
	for _, l := range lines {
		kinds[l[0]+" "+l[1]]++
		var words, count uint64
		fmt.Sscan(l[2], &words)
		fmt.Sscan(l[3], &count)
		switch l[1] {
		case "MRd":
			read["asked"] += 4 * words
		case "CplD":
			read["got"] += count
		}
	}
	for _, k := range []string{"PCIe MRd", "PCIe MWr", "PCIe CplD", "InfiniBand "} {
		if kinds[k] == 0 {
			t.Errorf("no frame is %q: %v", k, kinds)
		}
	}
	if read["asked"] == 0 || read["asked"] != read["got"] {
		t.Errorf("reads asked for %d bytes, completions brought %d", read["asked"], read["got"])
	}
}
