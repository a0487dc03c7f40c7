package repl

import (
	"cmp"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// An Own is a line about ken itself: cd, export or unset, which a shell that ends
// would take with it.
type Own struct {
	Name    string           // cd, export or unset
	Args    []*syntax.Word   // of cd and unset, as they stand
	Assigns []*syntax.Assign // of export: variables by name, at least one
}

// ParseOwn reports whether a command line is about ken itself. It is meant so only
// as a line of its own; inside a longer one such a word is the shell's. What does
// not parse is for the shell to complain about.
func ParseOwn(line string) (Own, bool) {
	name, _, _ := strings.Cut(strings.TrimSpace(line), " ")
	switch name {
	case "cd", "export", "unset":
	default:
		return Own{}, false
	}
	f, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(line), "")
	if err != nil || len(f.Stmts) != 1 {
		return Own{}, false
	}
	stmt := f.Stmts[0]
	if len(stmt.Redirs) > 0 || stmt.Background || stmt.Negated || stmt.Coprocess {
		return Own{}, false
	}
	switch c := stmt.Cmd.(type) {
	case *syntax.DeclClause:
		return Own{Name: name, Assigns: c.Args}, c.Variant.Value == "export" && plainExport(c.Args)
	case *syntax.CallExpr:
		if len(c.Assigns) > 0 || c.Args[0].Lit() != name {
			return Own{}, false
		}
		functions := name == "unset" && len(c.Args) > 1 && c.Args[1].Lit() == "-f"
		return Own{Name: name, Args: c.Args[1:]}, !functions
	}
	return Own{}, false
}

// OwnInside finds such a word in a longer line, where it is the shell's and is gone with
// it: the name of the first command at the top of the line that is one; "" if none is.
func OwnInside(line string) string {
	f, err := parse(line)
	if err != nil {
		return ""
	}
	var find func(stmt *syntax.Stmt) string
	find = func(stmt *syntax.Stmt) string {
		switch c := stmt.Cmd.(type) {
		case *syntax.DeclClause:
			if c.Variant.Value == "export" && slices.ContainsFunc(c.Args, func(as *syntax.Assign) bool { return as.Name != nil }) {
				return "export"
			}
		case *syntax.CallExpr:
			if len(c.Args) > 0 {
				switch name := c.Args[0].Lit(); name {
				case "cd", "unset":
					return name
				}
			}
		case *syntax.BinaryCmd:
			if c.Op == syntax.AndStmt || c.Op == syntax.OrStmt {
				return cmp.Or(find(c.X), find(c.Y))
			}
		}
		return ""
	}
	for _, stmt := range f.Stmts {
		if name := find(stmt); name != "" {
			return name
		}
	}
	return ""
}

// plainExport reports whether all that is exported are variables by name.
func plainExport(args []*syntax.Assign) bool {
	for _, as := range args {
		if as.Name == nil || as.Append || as.Array != nil || as.Index != nil {
			return false
		}
	}
	return len(args) > 0
}
