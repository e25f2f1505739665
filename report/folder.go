package report

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"

	"hcasim/scenario"
)

// The files of a result folder.
const (
	manifestFile = "manifest.json"
	configFile   = "config.yaml"
	summaryFile  = "summary.json"
	opsFile      = "ops.csv"
	statsFile    = "stats.csv"
	keysFile     = "keys.csv"
	sheetFile    = "report.html"
)

// zippedRows is how many ops make ops.csv large enough to be zipped.
const zippedRows = 100_000

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
}

// write writes the files of a result into a folder that is there.
func (s *Shelf) write(rec *Record, dir string) error {
	m := Manifest{
		Format: "hcasim.manifest", Version: 1, Tool: s.tool, ModelVersion: scenario.ModelVersion,
		Name: rec.Run.Name, Hash: rec.Run.Hash(), Seed: rec.Run.Scenario.Run.Seed, File: rec.Run.Path,
		Began: rec.Began.UTC().Format("2006-01-02T15:04:05.000Z"), Seconds: rec.Took.Seconds(),
	}
	ops, zipped := opsFile, len(rec.Result.Ops) > zippedRows
	if zipped {
		ops += ".gz"
	}
	type file struct {
		name  string
		write func(io.Writer) error
	}
	files := []file{
		{manifestFile, func(w io.Writer) error { return Indented(w, m) }},
		{configFile, rec.config},
		{summaryFile, func(w io.Writer) error { return Indented(w, rec.summaryDoc()) }},
		{ops, func(w io.Writer) error { return Zipped(w, zipped, rec.opsCSV) }},
		{statsFile, rec.statsCSV},
		{keysFile, rec.keysCSV},
	}
	if rec.Sheet {
		files = append(files, file{sheetFile, func(w io.Writer) error { return HTML(w, rec, "hcasim "+s.tool) }})
	}
	for _, f := range files {
		if err := writeFile(filepath.Join(dir, f.name), func(w io.Writer) error { return f.write(within(rec.Run, f.name, w)) }); err != nil {
			return err
		}
	}
	return rec.take(dir)
}

// take moves what was written while the run ran into its folder.
func (rec *Record) take(dir string) error {
	if rec.attached == "" {
		return nil
	}
	files, err := os.ReadDir(rec.attached)
	if err != nil {
		return err
	}
	for _, f := range files {
		if err := move(filepath.Join(rec.attached, f.Name()), filepath.Join(dir, f.Name())); err != nil {
			return err
		}
	}
	rec.Drop()
	return nil
}

// move renames a file, or copies it where it goes to another file system.
func move(from, to string) error {
	if os.Rename(from, to) == nil {
		return nil
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }() // it was only read
	return writeFile(to, func(w io.Writer) error {
		_, err := io.Copy(w, in)
		return err
	})
}

func (rec *Record) config(w io.Writer) error {
	text, err := rec.Run.Effective()
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
}

// writeFile writes a new file, through a buffer.
func writeFile(name string, write func(io.Writer) error) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	b := bufio.NewWriterSize(f, 1<<16)
	if err = write(b); err == nil {
		err = b.Flush()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}

// Zipped writes through gzip when there is much to write. The header
// has no time and no name, so that equal rows make equal files.
func Zipped(w io.Writer, zipped bool, write func(io.Writer) error) error {
	if !zipped {
		return write(w)
	}
	z := gzip.NewWriter(w)
	if err := write(z); err != nil {
		return err
	}
	return z.Close()
}

// Indented writes a value as JSON that people can read.
func Indented(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}
