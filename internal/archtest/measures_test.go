package archtest

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// What is measured here is held at what well-kept Go programs of this kind hold. No other
// count is a gate: docs/decisions/0085 says why, and report_test.go prints them.
const (
	maxColumns = 140
	maxFunc    = 150 // lines

	// Lines above maxColumns that were there before the measure: lists of words and tables of
	// data, and rows of tables of tests, each a case with its text on one line.
	longInCode, longInTests = 650, 1200
)

func measureGates() []gate {
	return []gate{
		{
			name:  "columns",
			check: checkColumns,
			bad: []badTree{
				{longFiles("internal/memory/a%d.go", 1000), "code has 1000 lines of more than 140 columns"},
				{longFiles("internal/memory/a%d_test.go", 1500), "tests have 1500 lines of more than 140 columns"},
			},
			good: map[string]string{"internal/memory/a.go": "package memory\n// " + strings.Repeat("é", 137) + "\n"},
		},
		{
			name:  "functions",
			check: checkFuncs,
			bad: []badTree{
				{map[string]string{"internal/memory/a.go": "package memory\nfunc f() {\n" + lines(149) + "}\n"}, "f has 151 lines"},
			},
			good: map[string]string{
				"internal/memory/a.go":      "package memory\nfunc f() {\n" + lines(148) + "}\nfunc g() {\n" + lines(148) + "}\n",
				"internal/memory/a_test.go": "package memory\nfunc f() {\n" + lines(200) + "}\n",
			},
		},
	}
}

// lines is n lines of nothing.
func lines(n int) string { return strings.Repeat("\n", n) }

// longFiles is files with n lines that are too long.
func longFiles(format string, n int) map[string]string {
	files := map[string]string{}
	for i := 0; n > 0; i++ {
		here := min(n, 500)
		n -= here
		files[fmt.Sprintf(format, i)] = "package memory\n" + strings.Repeat("// "+strings.Repeat("é", 138)+"\n", here)
	}
	return files
}

// checkColumns counts over the whole tree: lines move between packages, and a row for
// each file would be in everybody's way.
func checkColumns(tr *tree) []string {
	code, tests := 0, 0
	for _, f := range tr.files {
		if f.test {
			tests += f.long
		} else {
			code += f.long
		}
	}
	var out []string
	if code > longInCode {
		out = append(out, fmt.Sprintf("code has %d lines of more than %d columns, want <= %d", code, maxColumns, longInCode))
	}
	if tests > longInTests {
		out = append(out, fmt.Sprintf("tests have %d lines of more than %d columns, want <= %d", tests, maxColumns, longInTests))
	}
	if len(out) > 0 {
		out = append(out, "yours are listed by: git diff -U0 main -- '*.go' | grep -E '^[+].{141}'")
	}
	return out
}

// longLines counts the lines of src that are longer than maxColumns characters. A tab
// is one.
func longLines(src string) int {
	n := 0
	for line := range strings.Lines(src) {
		if len(line) > maxColumns && utf8.RuneCountInString(strings.TrimRight(line, "\r\n")) > maxColumns {
			n++
		}
	}
	return n
}

func checkFuncs(tr *tree) []string {
	var out []string
	for f := range tr.code {
		for _, fn := range f.funcs() {
			if n := tr.lineCount(fn); n > maxFunc {
				out = append(out, tr.at(fn.Pos(), "%s has %d lines, want <= %d", fn.Name.Name, n, maxFunc))
			}
		}
	}
	return out
}
