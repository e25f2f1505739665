package lang

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/invopop/jsonschema"
	"go.yaml.in/yaml/v4"
)

// told are the types whose comments the mapping forms share.
var told = map[string]string{
	"afterForm": "After", "boundsForm": "Bounds", "dataForm": "Data", "eventForm": "EventExpect", "faultForm": "FaultExpect",
	"keyForm": "KeyExpr", "keyExpectForm": "KeyExpect", "loopForm": "Loop", "memoryForm": "MemoryExpect", "nakForm": "NAKExpect",
	"objectForm": "ObjectExpect", "objectMembers": "ObjectExpect", "packetForm": "PacketExpect", "postForm": "PostSend", "recvForm": "PostRecv", "sizesForm": "Sizes",
	"stateForm": "StateExpect", "waitForm": "Wait", "warmupForm": "Warmup", "wcForm": "WC",
}

// comment returns the comment of a type or a field in one line; of a form
// without one, that of the type it stands for.
func (g *generator) comment(t reflect.Type, field string) string {
	names := []string{t.Name()}
	if other := told[t.Name()]; other != "" {
		names = []string{t.Name(), other}
		if field == "" {
			names = names[1:]
		}
	}
	for _, name := range names {
		key := path.Base(t.PkgPath()) + "." + name
		if field != "" {
			key += "." + field
		}
		if text := g.comments[key]; text != "" {
			return text
		}
	}
	return ""
}

// comments reads the comments of types and of their fields, by PACKAGE.TYPE
// and PACKAGE.TYPE.FIELD.
func comments(t *testing.T, folders ...string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, name := range goFiles(t, folders) {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			if d, ok := d.(*ast.GenDecl); ok && d.Tok == token.TYPE {
				for _, spec := range d.Specs {
					typeComments(all, file.Name.Name, d, spec.(*ast.TypeSpec))
				}
			}
		}
	}
	return all
}

func typeComments(all map[string]string, room string, d *ast.GenDecl, spec *ast.TypeSpec) {
	key := room + "." + spec.Name.Name
	text := spec.Doc.Text()
	if text == "" {
		text = d.Doc.Text()
	}
	first, _, _ := strings.Cut(text, "\n\n") // what follows is for those who read Go
	all[key] = line(first)
	if body, ok := spec.Type.(*ast.StructType); ok {
		for _, f := range body.Fields.List {
			for _, name := range f.Names {
				all[key+"."+name.Name] = line(f.Doc.Text())
			}
		}
	}
}

func line(text string) string { return strings.Join(strings.Fields(text), " ") }

func goFiles(t *testing.T, folders []string) (list []string) {
	t.Helper()
	for _, dir := range folders {
		names, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil || len(names) == 0 {
			t.Fatal(dir, err)
		}
		for _, name := range names {
			if !strings.HasSuffix(name, "_test.go") {
				list = append(list, name)
			}
		}
	}
	return list
}

var (
	subject  = regexp.MustCompile(`^(?:An? )?(\w+) (is |are |[a-z]+s )`)
	standard = regexp.MustCompile(`; ([A-Za-z0-9-]+)\.$`)
)

// describe puts a comment into a schema, in the words of files: fields as they
// are written there, without the subject that Go wants, and with what stands
// after the last semicolon as the default.
func describe(s *jsonschema.Schema, p *plan, text, self string, t reflect.Type) {
	if text == "" {
		return
	}
	if m := standard.FindStringSubmatch(text); m != nil {
		s.Default = scalar(m[1])
		text = strings.TrimSuffix(text, m[0]) + "."
	}
	if other := told[self]; other != "" {
		self = other
	}
	if m := subject.FindStringSubmatch(text); m != nil && m[1] == self && m[2] != "as " {
		text = text[strings.Index(text, m[1])+len(m[1])+1:]
		text = strings.TrimPrefix(strings.TrimPrefix(text, "is "), "are ")
	}
	for _, name := range p.names {
		f := t.FieldByIndex(p.byName[name].index)
		if strings.ContainsFunc(f.Name, unicode.IsLower) {
			text = regexp.MustCompile(`\b`+f.Name+`\b`).ReplaceAllLiteralString(text, name)
		}
	}
	if first, _, _ := strings.Cut(text, " "); !strings.Contains(first, "_") {
		text = strings.ToUpper(text[:1]) + text[1:]
	}
	s.Description = text
}

// scalar is a word as YAML would read it.
func scalar(word string) any {
	var v any
	if err := yaml.Load([]byte(word), &v); err != nil || v == nil {
		return word
	}
	return v
}

// TestEveryWordIsDescribed: whoever hovers over a word in an editor, or asks
// hcasim help language for it, is told what it means.
func TestEveryWordIsDescribed(t *testing.T) {
	root := &jsonschema.Schema{}
	if err := root.UnmarshalJSON(schemaText(t)); err != nil {
		t.Fatal(err)
	}
	root.Definitions["File"] = root
	for name, def := range root.Definitions {
		if def.Description == "" && name != "File" {
			t.Errorf("%s is not described", name)
		}
		if def.Properties == nil {
			continue
		}
		for p := def.Properties.Oldest(); p != nil; p = p.Next() {
			if p.Value.Description == "" {
				t.Errorf("%s.%s is not described", name, p.Key)
			}
		}
	}
}
