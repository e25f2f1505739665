package whole

import (
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"sync"
	"time"
)

const suffix = ".part"

// partName takes a part's name apart: machine, process.
var partName = regexp.MustCompile(`\.([0-9a-f]{8})\.(\d+)\.[0-9a-z]+\.part(\.old\.part)?$`)

// longest is how much of a name its part has, so that it is no longer than a
// name may be.
const longest = 180

// foreign is how old a part of another machine must be for its writer to be
// taken for dead: nobody here can ask.
const foreign = 24 * time.Hour

// machine tells machines apart that share a folder.
var machine = sync.OnceValue(func() string {
	name, _ := os.Hostname() // without one, all are one
	h := fnv.New32a()
	h.Write([]byte(name))
	return fmt.Sprintf("%08x", h.Sum32())
})

// process is what all that this process writes has in common. A signal is for
// the whole process, and so is this.
var process = struct {
	// gate is held while a part is begun or finished, and by Close for good.
	gate sync.RWMutex

	mu    sync.Mutex
	parts map[string]bool
	swept map[string]bool // folders
}{parts: map[string]bool{}, swept: map[string]bool{}}

// Close keeps everybody from beginning or finishing anything, and removes what
// is unfinished. It is called before the end of the program.
func Close() {
	process.gate.Lock()
	process.mu.Lock()
	defer process.mu.Unlock()
	for part := range process.parts {
		removeAll(part)
	}
}

// begin makes a part for a name.
func begin(name string, create func(part string) error) (string, error) {
	process.gate.RLock()
	defer process.gate.RUnlock()
	dir, base := filepath.Split(name)
	part := fmt.Sprintf("%s%s.%s.%d.%s%s", dir, base[:min(len(base), longest)], machine(), os.Getpid(), strconv.FormatUint(rand.Uint64(), 36), suffix)
	once(dir)
	if err := create(part); err != nil {
		return "", err
	}
	process.mu.Lock()
	defer process.mu.Unlock()
	process.parts[part] = true
	return part, nil
}

// finish lets a part be moved to its place, unless the process ends.
func finish(move func() error) error {
	process.gate.RLock()
	defer process.gate.RUnlock()
	return move()
}

// drop removes a part; it is gone already when it has its place.
func drop(part string) {
	removeAll(part)
	process.mu.Lock()
	defer process.mu.Unlock()
	delete(process.parts, part)
}

// removeAll removes a folder in which somebody may still be writing.
func removeAll(part string) {
	for range 10 {
		if os.RemoveAll(part) == nil {
			return
		}
	}
}

// once sweeps a folder when this process writes there first.
func once(dir string) {
	process.mu.Lock()
	seen := process.swept[dir]
	process.swept[dir] = true
	process.mu.Unlock()
	if !seen {
		SweepUp(dir)
	}
}

// SweepUp removes from a folder the parts whose writers are dead.
func SweepUp(dir string) {
	names, _ := filepath.Glob(filepath.Join(escape(dir), "*"+suffix)) // the pattern is good
	for _, name := range names {
		if dead(name) {
			_ = os.RemoveAll(name) // another may be as tidy
		}
	}
}

// escape keeps a folder's name from being a pattern.
func escape(dir string) string {
	return regexp.MustCompile(`[*?\[\\]`).ReplaceAllString(dir, `\$0`)
}

// IsPart reports whether a name is one of a part.
func IsPart(name string) bool { return partName.MatchString(name) }

// dead reports whether nobody writes a part any more.
func dead(name string) bool {
	m := partName.FindStringSubmatch(name)
	if m == nil {
		return false // it is somebody's own
	}
	info, err := os.Lstat(name)
	if err != nil {
		return false
	}
	pid, err := strconv.Atoi(m[2])
	if m[1] != machine() || err != nil {
		return time.Since(info.ModTime()) > foreign
	}
	return pid != os.Getpid() && !alive(pid)
}

// Reason is an error of a file without its operation and its name.
func Reason(err error) error {
	var p *fs.PathError
	var l *os.LinkError
	var s *os.SyscallError
	switch {
	case errors.As(err, &p):
		return p.Err
	case errors.As(err, &l):
		return l.Err
	case errors.As(err, &s):
		return s.Err
	}
	return err
}
