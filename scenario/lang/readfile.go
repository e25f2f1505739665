package lang

import (
	"errors"
	"fmt"
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
		return fail(fmt.Sprintf("the file has %d bytes", info.Size()), fmt.Sprintf("at most %d", maxFile))
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return fail(err.Error(), "")
	}
	return Source{Name: path, Data: data}, nil
}
