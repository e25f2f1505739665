package scenario

import (
	"path/filepath"
	"strings"
)

// Topics returns the topic of each file: its folder and the words that it has
// in common with its neighbours there. Files that begin with the same word are
// a family, called by all the words that they begin with alike; a file without
// such a neighbour is one alone. Files that are numbered have their folder for
// a topic.
func Topics(files []string) []string {
	families := map[string][]string{} // by folder and first word: the words in common
	split := func(file string) (key string, words []string) {
		name := filepath.Base(file)
		words = strings.Split(strings.TrimSuffix(name, filepath.Ext(name)), "-")
		return filepath.Dir(file) + "\x00" + words[0], words
	}
	for _, file := range files {
		key, words := split(file)
		alike, more := families[key]
		if !more {
			families[key] = words
			continue
		}
		n := 0
		for n < min(len(alike), len(words)) && alike[n] == words[n] {
			n++
		}
		families[key] = alike[:n]
	}
	topics := make([]string, len(files))
	for i, file := range files {
		key, words := split(file)
		topics[i] = filepath.ToSlash(filepath.Dir(file))
		if strings.Trim(words[0], "0123456789") != "" {
			topics[i] += "/" + strings.Join(families[key], "-")
		}
	}
	return topics
}
