package bench

import (
	"fmt"
	"os"
	"runtime"
	"strings"
)

// A Machine is where it was measured.
type Machine struct {
	CPU  string // the model's name, "" if the system does not say
	CPUs int
	OS   string
	Arch string
	Go   string
}

func machine() Machine {
	return Machine{CPU: cpuName(), CPUs: runtime.NumCPU(), OS: runtime.GOOS, Arch: runtime.GOARCH, Go: runtime.Version()}
}

// cpuName reads the model's name where Linux has it.
func cpuName() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(text)) {
		if key, value, found := strings.Cut(line, ":"); found && strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// String names the machine in a line.
func (m Machine) String() string {
	name := m.CPU
	if name == "" {
		name = "a processor without a name"
	}
	cpus := fmt.Sprintf("%d CPUs", m.CPUs)
	if m.CPUs == 1 {
		cpus = "1 CPU"
	}
	return fmt.Sprintf("%s, %s, %s/%s, %s", name, cpus, m.OS, m.Arch, m.Go)
}
