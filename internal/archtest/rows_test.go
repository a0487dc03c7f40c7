package archtest

import (
	"fmt"
	"go/ast"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// releaseRows are the rows and scenarios that this release stands for. Each has
// a line in docs/rows.md and at least one test. Rows are added here, not taken
// away.
func releaseRows() []string {
	const spans = "R4-7 R9-12 R14 R16-17 R20-26 R28-29 R31 R40-51 R60-72 " +
		"R110-122 R125 R128-129 R140-144 R146-148 R153-155 " +
		"R160-166 R173-177 R231 R240-244 R248-250 R253 R322-323 R325-326 R330 R332 R350 " +
		"S1-8 S10 S20-23 S30-32 S34-37 S39 S80-85"
	var rows []string
	for _, span := range strings.Fields(spans) {
		letter := span[:1]
		from, to, ok := strings.Cut(span[1:], "-")
		if !ok {
			to = from
		}
		first, err1 := strconv.Atoi(from)
		last, err2 := strconv.Atoi(to)
		if err1 != nil || err2 != nil || first > last {
			panic("bad span of rows: " + span)
		}
		for n := first; n <= last; n++ {
			rows = append(rows, fmt.Sprintf("%s%d", letter, n))
		}
	}
	return rows
}

// A row is one line of the table in docs/rows.md:
//
//	| R61 | A turn is one line of JSON. | `internal/session TestR61TurnLine`, `internal/cli s20_persist.txtar` |
type row struct {
	id     string
	line   int
	says   string
	proofs []string // "internal/session TestR61TurnLine"
}

const rowsPaper = "docs/rows.md"

func rowGates() []gate {
	const (
		tests = "package session\nfunc TestR61TurnLine(t *testing.T) {}\nfunc FuzzLoad(f *testing.F) {}\n"
		table = "| R61 | A turn is one line. | `internal/session TestR61TurnLine`, `internal/session FuzzLoad` |\n" +
			"| S20 | It comes back. | `internal/cli s20_persist.txtar` |\n"
		paper, file, script = rowsPaper, "internal/session/a_test.go", scriptDir + "/s20_persist.txtar"
	)
	var whole strings.Builder
	for _, id := range releaseRows() {
		fmt.Fprintf(&whole, "| %s | It holds. | `a TestA` |\n", id)
	}
	return []gate{
		{
			name:  "rows of this release",
			check: checkReleaseRows,
			bad: []badTree{
				{map[string]string{}, rowsPaper},
				{map[string]string{paper: strings.Replace(whole.String(), "| R129 |", "| R130 |", 1)}, "R129 is not in the table"},
			},
			good: map[string]string{paper: whole.String()},
		},
		{
			name:  "rows are proved",
			check: checkRows,
			bad: []badTree{
				{map[string]string{paper: "| R61 | A turn is one line. | |\n"}, "R61 names no test"},
				{map[string]string{paper: "| R61 | | `internal/session FuzzLoad` |\n", file: tests}, "R61 says nothing"},
				{map[string]string{paper: table, script: ""}, "no test internal/session TestR61TurnLine"},
				{map[string]string{paper: table, file: tests}, "no test internal/cli s20_persist.txtar"},
				{map[string]string{paper: table + "| R61 | Again and again. | `internal/session FuzzLoad` |\n", file: tests, script: ""}, "R61 stands twice"},
				{map[string]string{paper: table + "| R61j | It ends. | `a TestGone` |\n", file: tests, script: ""}, "R61j: no test a TestGone"},
				{map[string]string{paper: table + "| ASK | It asks. | |\n", file: tests, script: ""}, "ASK names no test"},
				{map[string]string{paper: "| R61 | A turn is one line. | `internal/session FuzzLoad`, `internal/session FuzzLoad` |\n", file: tests}, "names internal/session FuzzLoad twice"},
				{map[string]string{paper: table, file: tests + "func TestR62Header(t *testing.T) {}\n", script: ""}, "internal/session TestR62Header: docs/rows.md has no row R62"},
				{map[string]string{paper: table, file: tests + "func TestR61Again(t *testing.T) {}\n", script: ""}, "internal/session TestR61Again: not in row R61"},
				{map[string]string{paper: table, file: tests + "func TestR61S20Both(t *testing.T) {}\n", script: ""}, "internal/session TestR61S20Both: not in row S20"},
				{map[string]string{paper: table, file: tests, script: "", scriptDir + "/s03_more.txtar": ""}, "internal/cli s03_more.txtar: docs/rows.md has no row S3"},
				{map[string]string{paper: table + "| R62 | `A` | `TestR62` |\n", file: tests, script: ""}, "R62: want `package name`"},
				{map[string]string{paper: table, file: tests, script: "", "internal/cli/testdata/script/ask.txtar": "skip\n"}, "ask.txtar is skipped"},
			},
			good: map[string]string{
				paper: "# Rows\n\n| row | what holds | proved by |\n|---|---|---|\n" + table, file: tests, script: "! exec ken x\n[!exec:git] skip 'no git'\n",
				"internal/cli/a_test.go": "package cli\nfunc TestRest(t *testing.T) {}\nfunc TestSSE(t *testing.T) {}\nfunc TestMain(m *testing.M) {}\n",
			},
		},
	}
}

func checkReleaseRows(tr *tree) []string {
	rows, err := tr.rows()
	if err != nil {
		return []string{err.Error()}
	}
	var out []string
	for _, id := range releaseRows() {
		if !slices.ContainsFunc(rows, func(r row) bool { return r.id == id }) {
			out = append(out, fmt.Sprintf("%s: %s is not in the table", rowsPaper, id))
		}
	}
	return out
}

func checkRows(tr *tree) []string {
	rows, err := tr.rows()
	if err != nil {
		return []string{err.Error()}
	}
	tests := tr.testNames()
	byID := map[string]row{}
	var out []string
	tell := func(r row, format string, args ...any) {
		out = append(out, fmt.Sprintf("%s:%d: %s", rowsPaper, r.line, r.id)+fmt.Sprintf(format, args...))
	}
	for _, r := range rows {
		if _, ok := byID[r.id]; ok {
			tell(r, " stands twice")
		}
		byID[r.id] = r
		if len(strings.Fields(r.says)) < 2 {
			tell(r, " says nothing")
		}
		if len(r.proofs) == 0 {
			tell(r, " names no test")
		}
		for i, proof := range r.proofs {
			dir, name, ok := strings.Cut(proof, " ")
			switch {
			case !ok:
				tell(r, ": want `package name`, not `%s`", proof)
			case !slices.Contains(tests[dir], name):
				tell(r, ": no test %s", proof)
			case slices.Contains(r.proofs[:i], proof):
				tell(r, " names %s twice", proof)
			}
		}
	}
	for _, dir := range slices.Sorted(maps.Keys(tests)) {
		for _, name := range tests[dir] {
			out = append(out, unmapped(byID, dir, name)...)
		}
	}
	return append(out, tr.skippedScripts()...)
}

// unmapped complains about a test that is named for rows and that one of them
// does not name: TestR61R62Lines belongs to R61 and R62, s03_faults.txtar to S3.
func unmapped(rows map[string]row, dir, name string) []string {
	run := regexp.MustCompile(`^(?:Test|Fuzz)?((?:[RSrs][0-9]+)+)(?:[A-Z_]|$)`).FindStringSubmatch(name)
	if run == nil {
		return nil
	}
	var out []string
	proof := dir + " " + name
	for _, m := range regexp.MustCompile(`([RSrs])0*([1-9][0-9]*)`).FindAllStringSubmatch(run[1], -1) {
		id := strings.ToUpper(m[1]) + m[2]
		r, ok := rows[id]
		switch {
		case !ok:
			out = append(out, fmt.Sprintf("%s: %s has no row %s", proof, rowsPaper, id))
		case !slices.Contains(r.proofs, proof):
			out = append(out, fmt.Sprintf("%s: not in row %s of %s", proof, id, rowsPaper))
		}
	}
	return out
}

// skippedScripts complains about scripts that are switched off. A script may be
// skipped where something it needs is missing.
func (tr *tree) skippedScripts() []string {
	var out []string
	for _, name := range tr.testNames()["internal/cli"] {
		text, err := fs.ReadFile(tr.fsys, scriptDir+"/"+name)
		if err != nil {
			continue // a Go test
		}
		for line := range strings.Lines(string(text)) {
			if strings.HasPrefix(line, "-- ") {
				break
			}
			if word, _, _ := strings.Cut(strings.TrimSpace(line), " "); word == "skip" || word == "stop" {
				out = append(out, fmt.Sprintf("%s/%s is skipped", scriptDir, name))
			}
		}
	}
	return out
}

// rows reads the table.
func (tr *tree) rows() ([]row, error) {
	md, err := fs.ReadFile(tr.fsys, rowsPaper)
	if err != nil {
		return nil, err
	}
	id := regexp.MustCompile(`^[A-Z][A-Za-z0-9]*$`)
	span := regexp.MustCompile("`([^`]+)`")
	var out []row
	for i, line := range prose(md) {
		cells := strings.Split(line, "|")
		if len(cells) != 5 || !id.MatchString(strings.TrimSpace(cells[1])) {
			continue
		}
		r := row{id: strings.TrimSpace(cells[1]), line: i + 1, says: strings.TrimSpace(cells[2])}
		for _, m := range span.FindAllStringSubmatch(cells[3], -1) {
			r.proofs = append(r.proofs, m[1])
		}
		out = append(out, r)
	}
	return out, nil
}

// testNames returns the tests, examples and fuzz targets of each directory, and
// the scripts below its testdata/script.
func (tr *tree) testNames() map[string][]string {
	names := map[string][]string{}
	for _, f := range tr.files {
		if !f.test {
			continue
		}
		for _, d := range f.ast.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && isTestName(fn.Name.Name) {
				names[f.dir] = append(names[f.dir], fn.Name.Name)
			}
		}
	}
	scripts, err := fs.Glob(tr.fsys, scriptDir+"/*.txtar")
	if err != nil {
		panic(err) // the pattern is a constant
	}
	dir := path.Dir(path.Dir(scriptDir))
	for _, s := range scripts {
		names[dir] = append(names[dir], path.Base(s))
	}
	return names
}

func isTestName(name string) bool {
	for _, prefix := range []string{"Test", "Fuzz", "Example"} {
		if strings.HasPrefix(name, prefix) && name != "TestMain" {
			return true
		}
	}
	return false
}
