package report

import (
	"cmp"
	"compress/gzip"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"hcasim/scenario"
	"hcasim/scenario/lang"
)

// A Kept is a result that was kept, ready to run again.
type Kept struct {
	Run    *scenario.Run
	Folder string
	File   string      // the user's, as it was called then
	Lines  map[int]int // of it, by step; config.yaml has lines of its own
}

// IsResult reports whether a path is a folder that results may lie in.
func IsResult(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// Open reads a result folder: results/NAME/HASH, or results/NAME where there is
// but one in it. What another version of the model has made is not opened: run
// again it would be another result.
func Open(dir string) (*Kept, error) {
	dir = filepath.Clean(dir)
	m, err := readManifest(dir)
	if errors.Is(err, fs.ErrNotExist) {
		if dir, err = onlyResult(dir); err != nil {
			return nil, err
		}
		m, err = readManifest(dir)
	}
	switch path := (*fs.PathError)(nil); {
	case errors.As(err, &path):
		return nil, NoResult(dir)
	case err != nil:
		return nil, err
	}
	config := filepath.Join(dir, configFile)
	if m.ModelVersion != scenario.ModelVersion {
		return nil, fmt.Errorf("%s was made by version %d of the model, and this is version %d, whose result may differ: hcasim run %s makes it anew",
			dir, m.ModelVersion, scenario.ModelVersion, config)
	}
	if _, err := os.Stat(config); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: what was run is not there: hcasim run SCENARIO makes the result anew", config)
	}
	runs, err := scenario.Load(config, scenario.Options{})
	if err != nil {
		return nil, err
	}
	if len(runs) != 1 || runs[0].Hash() != m.Hash {
		return nil, fmt.Errorf("%s was changed since the result was made: hcasim run %s makes a new one", config, config)
	}
	if err := m.Files.Hold(dir, summaryFile, opsFile, opsFile+".gz"); err != nil {
		return nil, fmt.Errorf("%w: hcasim run %s makes it anew", err, config)
	}
	k := &Kept{Run: runs[0], Folder: dir, File: cmp.Or(m.File, config)}
	return k, k.places()
}

// NoResult says that a path is no result, and where results come from.
func NoResult(path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		var names []string
		for _, f := range Results("results") {
			names = append(names, f, filepath.Dir(f))
		}
		if near := lang.DidYouMean(path, names); strings.HasPrefix(near, "did") {
			return fmt.Errorf("%s: there is no such result; %s", path, near)
		}
		return fmt.Errorf("%s: there is no such result: hcasim run SCENARIO writes them to results/NAME/HASH", path)
	case err != nil:
		return fmt.Errorf("%s: %w", path, reason(err))
	case !info.IsDir() && strings.HasSuffix(path, ".yaml"):
		return fmt.Errorf("%s is a file, and a result is a folder: hcasim run %s writes one to results/NAME/HASH", path, path)
	case !info.IsDir():
		return fmt.Errorf("%s is a file, and a result is a folder such as results/NAME/HASH", path)
	}
	return fmt.Errorf("%s is no result: hcasim run SCENARIO writes them to results/NAME/HASH", path)
}

// onlyResult looks for the one result below a folder.
func onlyResult(dir string) (string, error) {
	found, _ := filepath.Glob(filepath.Join(dir, "*", manifestFile)) // the pattern is good
	switch len(found) {
	case 0:
		return "", NoResult(dir)
	case 1:
		return filepath.Dir(found[0]), nil
	}
	names := make([]string, 0, len(found))
	for _, f := range found {
		names = append(names, filepath.Dir(f))
	}
	return "", fmt.Errorf("%s has %d results: name one of %s", dir, len(found), strings.Join(names, ", "))
}

// places reads where the steps stood in the user's file.
func (k *Kept) places() error {
	rows, err := k.ops()
	if err != nil {
		return fmt.Errorf("%s: %s cannot be read: %w", k.Folder, opsFile, reason(err))
	}
	defer func() { _ = rows.Close() }() // it was only read
	k.Lines = map[int]int{}
	c := csv.NewReader(rows)
	c.ReuseRecord = true
	for {
		row, err := c.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil || len(row) < 3 {
			return fmt.Errorf("%s: %s is no table of ops: %v", k.Folder, opsFile, err)
		}
		step, e1 := strconv.Atoi(row[1])
		line, e2 := strconv.Atoi(row[2])
		if e1 == nil && e2 == nil { // the head is neither
			k.Lines[step] = line
		}
	}
}

// ops opens the table of ops, zipped or not.
func (k *Kept) ops() (io.ReadCloser, error) {
	f, err := os.Open(filepath.Join(k.Folder, opsFile))
	if err == nil {
		return f, nil
	}
	if f, err = os.Open(filepath.Join(k.Folder, opsFile+".gz")); err != nil {
		return nil, err
	}
	z, err := gzip.NewReader(f)
	if err != nil {
		_ = f.Close() // the first error says more
		return nil, err
	}
	return struct {
		io.Reader
		io.Closer
	}{z, f}, nil
}
