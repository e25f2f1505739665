package report

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"path/filepath"

	"hcasim/scenario"
	"hcasim/whole"
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

// write writes the files of a result into a folder that is there; the manifest,
// which has the digests of the others, last.
func (s *Shelf) write(rec *Record, dir string) error {
	m := Manifest{
		Format: manifestFormat, Version: manifestVersion, Tool: s.tool, ModelVersion: scenario.ModelVersion,
		Name: rec.Run.Name, Hash: rec.Run.Hash(), Seed: rec.Run.Scenario.Run.Seed, File: rec.Run.Path,
		Began: rec.Began.UTC().Format("2006-01-02T15:04:05.000Z"), Seconds: rec.Took.Seconds(), Files: Digests{},
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
		{configFile, rec.config},
		{summaryFile, func(w io.Writer) error { return Indented(w, rec.summaryDoc()) }},
		{ops, func(w io.Writer) error { return Zipped(w, zipped, rec.opsCSV) }},
		{statsFile, rec.statsCSV},
		{keysFile, rec.keysCSV},
	}
	if rec.Sheet {
		files = append(files, file{sheetFile, func(w io.Writer) error { return writeHTML(w, rec, "hcasim "+s.tool) }})
	}
	for _, f := range files {
		err := whole.Into(filepath.Join(dir, f.name), func(w io.Writer) error {
			w, done := m.Files.Take(f.name, w)
			defer done()
			return f.write(within(rec.Run, f.name, w))
		})
		if err != nil {
			return err
		}
	}
	return whole.Into(filepath.Join(dir, manifestFile), func(w io.Writer) error { return Indented(w, m) })
}

func (rec *Record) config(w io.Writer) error {
	text, err := rec.Run.Effective()
	if err != nil {
		return err
	}
	_, err = w.Write(text)
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
