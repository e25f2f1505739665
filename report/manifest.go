package report

import (
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// A Manifest says what made a result, and when. It is the only file that the
// wall clock goes into.
type Manifest struct {
	Format       string  `json:"format"`
	Version      int     `json:"version"`
	Tool         string  `json:"tool_version"`
	ModelVersion int     `json:"model_version"`
	Name         string  `json:"name"`
	Hash         string  `json:"hash"`
	Seed         uint64  `json:"seed"`
	File         string  `json:"file,omitempty"` // as it was called
	Began        string  `json:"began"`
	Seconds      float64 `json:"seconds"`
	Files        Digests `json:"files"`
}

const (
	manifestFormat  = "hcasim.manifest"
	manifestVersion = 1
)

// readManifest reads that of a folder. One that is cut off is an error.
func readManifest(dir string) (*Manifest, error) {
	text, err := os.ReadFile(filepath.Join(dir, manifestFile))
	if err != nil {
		return nil, err
	}
	m := &Manifest{}
	switch err := json.Unmarshal(text, m); {
	case err != nil || m.Format != manifestFormat:
		return nil, fmt.Errorf("%s is cut off, or of no result of hcasim: hcasim run SCENARIO makes one", filepath.Join(dir, manifestFile))
	case m.Version != manifestVersion:
		return nil, fmt.Errorf("%s is of version %d, and this program reads %d: another hcasim made it; hcasim run SCENARIO makes it anew", filepath.Join(dir, manifestFile), m.Version, manifestVersion)
	}
	return m, nil
}

// like reports whether two are of the same result, whoever made it, and when.
func (m *Manifest) like(o *Manifest) bool {
	return m.ModelVersion == o.ModelVersion && m.Name == o.Name && m.Hash == o.Hash && maps.Equal(m.Files, o.Files)
}

// Digests are those of the files of a folder, SHA-256 by name. Who finds another
// has no file of hcasim before him, but one that was cut off or changed.
type Digests map[string]string

// Take returns a writer that notes the digest of what is written through it, once
// done is called.
func (d Digests) Take(name string, w io.Writer) (through io.Writer, done func()) {
	h := sha256.New()
	return io.MultiWriter(w, h), func() { d[name] = hex.EncodeToString(h.Sum(nil)) }
}

// Hold holds files of a folder to their digests. Those that have none, or are not
// there, are not held.
func (d Digests) Hold(dir string, names ...string) error {
	for _, name := range names {
		want, known := d[name]
		if !known {
			continue
		}
		f, err := os.Open(filepath.Join(dir, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return fmt.Errorf("%s: %w", filepath.Join(dir, name), reason(err))
		}
		h := sha256.New()
		_, err = io.Copy(h, f)
		_ = f.Close() // it was only read
		if err != nil {
			return fmt.Errorf("%s: %w", filepath.Join(dir, name), reason(err))
		}
		if hex.EncodeToString(h.Sum(nil)) != want {
			return fmt.Errorf("%s is not as it was written: it was cut off, or changed", filepath.Join(dir, name))
		}
	}
	return nil
}

// Intact returns what is wrong with a result folder: nil if it is there as it
// was written.
func Intact(dir string) error {
	m, err := readManifest(dir)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(m.Files)) {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			return err
		}
		if err := m.Files.Hold(dir, name); err != nil {
			return err
		}
	}
	return nil
}

// Unzips returns what is wrong with a file that is zipped: nil if it is whole.
func Unzips(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // it was only read
	z, err := gzip.NewReader(f)
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, z)
	return err
}
