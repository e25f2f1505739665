package explore

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"testing"
)

// words are what the ledger may take from tpt: the language in which it is
// told what was asked and answered. A rule is not among them.
var words = []string{
	"Command", "Result",
	"RegMR", "FastRegMR", "DeregMR", "ReregMR", "DeallocMW", "BindMW", "LocalInv", "RemoteInv", "DestroyQP", "CreateQP",
}

// verdicts are what it may not ask of anything. Where
// a verdict of the rules is read, they would
// prove themselves.
var verdicts = []string{"Errno", "Status", "Rule", "Fault", "Done", "Check", "Apply", "Next", "Entry", "table", "Variant"}

// TestLedgerIsIndependent: a proof must not prove itself.
func TestLedgerIsIndependent(t *testing.T) {
	for _, name := range []string{"ledger.go", "lawful.go"} {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, imp := range file.Imports {
			if path, _ := strconv.Unquote(imp.Path.Value); path != "hcasim/ib" && path != "hcasim/tpt" || imp.Name != nil {
				t.Errorf("%s imports %s", name, imp.Path.Value)
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			s, is := n.(*ast.SelectorExpr)
			if !is {
				return true
			}
			if x, named := s.X.(*ast.Ident); named && x.Name == "tpt" {
				if !slices.Contains(words, s.Sel.Name) {
					t.Errorf("%s takes tpt.%s", name, s.Sel.Name)
				}
			} else if slices.Contains(verdicts, s.Sel.Name) {
				t.Errorf("%s asks for %s", name, s.Sel.Name)
			}
			return true
		})
	}
}
