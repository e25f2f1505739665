package lang

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// maxFile bounds what is read as a scenario.
const maxFile = 64 << 20

// ReadFile returns the text of a scenario file, or why there is none.
func ReadFile(path string) (Source, []Problem) {
	fail := func(message, suggestion string) (Source, []Problem) {
		return Source{Name: path}, []Problem{{File: path, Message: message, Suggestion: suggestion}}
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fail("there is no such file", NotThere(path))
	case err != nil:
		return fail(err.Error(), "")
	case info.IsDir():
		return fail("this is a folder, not a file", "hcasim test runs the files of a folder")
	case info.Size() > maxFile:
		return fail(tooLarge(maxFile), shorter)
	}
	data, err := ReadAtMost(path, maxFile)
	if err != nil {
		return fail(err.Error(), shorter)
	}
	return Source{Name: path, Data: data}, nil
}

// shorter says how what is too long is said in less.
const shorter = "loop:, count: and cases: repeat without copies"

func tooLarge(most int64) string { return fmt.Sprintf("the file has more than %d MiB", most>>20) }

// ReadAtMost returns the text of a file of at most so many bytes: a device or a
// pipe has no size that could be looked at before.
func ReadAtMost(path string, most int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // it was only read
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(data)) > most {
		err = errors.New(tooLarge(most))
	}
	return data, err
}
