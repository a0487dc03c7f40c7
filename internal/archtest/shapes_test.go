package archtest

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"
)

// A JSON shape that is shown or sent is a contract of all faces, and stands in package
// view or one of its rooms, where a golden file holds it. What else has JSON tags is the
// format of a file, or of what another program says.

// ownJSON are the packages that have such formats, each with what they are. The command
// line has none.
func ownJSON() []exception {
	return []exception{
		{"connect", "what other assistants say to a hook"},
		{"learn/extract", "what a model answers that reads a conversation"},
		{"embed", "the requests and replies of embedding servers"},
		{"learn/patterns", "what a model is shown of memories that are alike"},
		{"app", "the lines of met.jsonl and questions.jsonl, which are files"},
		{"httpapi", "the lines of clients.jsonl, which docs/format.md has"},
		{"index/live", "what segments of the index keep beside words"},
		{"jsonl", "the stamp in front of derived files"},
		{"llm/delta", "the usage as servers of models report it"},
		{"llm/discover", "the lists of models that servers give"},
		{"llm/llmtest", "what a scripted model server is asked and says"},
		{"llm/wire", "the errors of servers of models as they come"},
		{"mcpserver", "the arguments of its tools, with the schema that the protocol wants"},
		{"memory", "the lines of the memory, which docs/format.md has"},
		{"memory/filelog", "the head and the sketches of a log file"},
		{"telegram", "the file of who is paired, which docs/format.md has"},
		{"tool/mcp", "what tells a message of the protocol from another line"},
		{"tool/mcp/mcptest", "the arguments of its tools, with the schema that the protocol wants"},
		{"tool/mcp/oauth", "the files of logins, which docs/format.md has"},
		{"typed", "the lines of the history that say where something was typed"},
	}
}

func shapeGates() []gate {
	const shape = "struct {\n\tRef string `json:\"ref\"`\n}\n"
	return []gate{{
		name:  "shapes stand in view",
		check: checkShapes,
		bad: []badTree{
			{map[string]string{"internal/cli/memory/a.go": "package memory\ntype deed " + shape}, "cli/memory has a JSON shape"},
			{map[string]string{
				"internal/cli/a.go": "package cli\nfunc f(p func(any)) { p(" + strings.TrimSuffix(shape, "\n") + "{}) }\n",
			}, "cli has a JSON shape"},
			{map[string]string{"internal/scrub/a.go": "package scrub\ntype Proof " + shape}, "scrub has a JSON shape"},
			{map[string]string{"internal/viewer/a.go": "package viewer\ntype Hit " + shape}, "viewer has a JSON shape"},
		},
		good: map[string]string{
			"internal/view/a.go":            "package view\ntype Hit " + shape,
			"internal/view/why/a.go":        "package why\ntype Ground " + shape,
			"internal/memory/a.go":          "package memory\ntype Source " + shape,
			"internal/cli/search/a_test.go": "package search\ntype hit " + shape,
			"internal/cli/memory/a.go":      "package memory\ntype deed struct{ Ref string `toml:\"ref\"` }\n",
			"internal/bench/a.go":           "package bench\ntype row " + shape,
		},
	}}
}

// checkShapes looks for JSON tags where no format is.
func checkShapes(tr *tree) []string {
	var out []string
	found := map[string]bool{}
	for f := range tr.code {
		pkg := short(f.dir)
		if pkg == "view" || strings.HasPrefix(pkg, "view/") || isOutside(pkg) {
			continue
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			s, ok := n.(*ast.StructType)
			if !ok || !slices.ContainsFunc(s.Fields.List, hasJSONTag) {
				return true
			}
			found[pkg] = true
			if !slices.ContainsFunc(ownJSON(), func(e exception) bool { return e.name == pkg }) {
				out = append(out, tr.at(s.Pos(), "%s has a JSON shape: what is shown or sent stands in view, "+
					"with its golden file; the format of a file has a row in shapes_test.go", pkg))
			}
			return true
		})
	}
	for _, e := range ownJSON() {
		if strings.HasPrefix(e.name+"/", "cli/") || len(strings.Fields(e.why)) < 4 {
			out = append(out, fmt.Sprintf("%s: no exception, or none without a reason", e.name))
		}
		if tr.whole && !found[e.name] {
			out = append(out, e.name+": stands in shapes_test.go and has no JSON tags: take its row out")
		}
	}
	return out
}

func hasJSONTag(f *ast.Field) bool { return f.Tag != nil && strings.Contains(f.Tag.Value, `json:"`) }
