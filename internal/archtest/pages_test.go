package archtest

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

const (
	decisionDir = "docs/decisions"
	// decisionIndex lists the pages, and says of each other number why it has none.
	decisionIndex = decisionDir + "/README.md"
)

// pageGates hold the papers together: each is found by a reader who starts at
// README.md, and no number of a decision is missing or means two.
func pageGates() []gate {
	marker := strings.Repeat("<", 7) + " HEAD\n"
	return []gate{
		{
			name:  "merge markers",
			check: checkMergeMarkers,
			bad: []badTree{
				{map[string]string{"docs/a.md": "a\n" + marker + "b\n"}, "docs/a.md:2: a merge marker"},
				{map[string]string{"internal/cli/testdata/script/a.txtar": strings.Repeat(">", 7) + " main\n"}, "a.txtar:1: a merge marker"},
				{map[string]string{"Makefile": "a:\n" + strings.Repeat("|", 7) + " base\r\n"}, "Makefile:2: a merge marker"},
				{map[string]string{".ci/run": marker}, ".ci/run:1: a merge marker"},
				{map[string]string{"a.go": "package a\n\n/*\n" + marker + "*/\n"}, "a.go:4: a merge marker"},
			},
			good: map[string]string{
				"internal/cli/testdata/script/check.txtar": marker,
				"a.md": "Title\n=======\n " + marker + strings.Repeat("<", 8) + " x\n" + strings.Repeat(">", 7) + "\n",
			},
		},
		{
			name:  "pages are found",
			check: checkOrphans,
			bad: []badTree{
				{map[string]string{"README.md": "a\n", "docs/a.md": "b\n"}, "docs/a.md: no page that a reader of README.md comes to links to it"},
				{map[string]string{"README.md": "a\n", "docs/a.md": "[b](b.md)\n", "docs/b.md": "[a](a.md)\n"}, "docs/b.md: no page"},
				{map[string]string{"README.md": "[a](docs/a.md)\n", "docs/a.md": "# T\n[t](#t)\n", "docs/b.md": ""}, "docs/b.md: no page"},
				{map[string]string{"README.md": "`[a](docs/a.md)`\n", "docs/a.md": "b\n"}, "docs/a.md: no page"},
			},
			good: map[string]string{
				"README.md": "[a](docs/a.md#x)\n[C](CONTRIBUTING.md)\n", "docs/a.md": "# x\n[b](b.md)\n", "docs/b.md": "",
				"CONTRIBUTING.md": "[decisions](docs/decisions)\n", decisionDir + "/0001-a.md": "# 0001: A\n", decisionIndex: "",
				"docs/decisions/a/b.txt": "",
			},
		},
		{
			name:  "pages that code names",
			check: checkNamedPages,
			bad: []badTree{
				{map[string]string{"a.go": "package a\n\n// See docs/a.md.\n"}, "a.go:3: names docs/a.md, which does not exist"},
				{map[string]string{"a.go": "package a\n\nconst hint = \"docs/a.md\"\n", "docs/b.md": ""}, "a.go:3: names docs/a.md"},
				{map[string]string{"Makefile": "# docs/decisions/0002 says why\n"}, "Makefile:1: names docs/decisions/0002"},
			},
			good: map[string]string{
				"a.go":      "package a\n\n// See docs/a.md, docs/decisions/0001 and https://x.org/docs/b.md.\n",
				"a_test.go": "package a\n\nconst made = \"docs/made.md\"\n",
				"docs/a.md": "", decisionDir + "/0001-a.md": "",
			},
		},
		{
			name:  "numbers of decisions",
			check: checkDecisions,
			bad: []badTree{
				{map[string]string{decisionDir + "/0001-a.md": "# 0001: A\n", decisionDir + "/0001-b.md": "# 0001: B\n"}, "0001 stands twice"},
				{map[string]string{decisionDir + "/0002-a.md": "# 0002: A\n"}, "0001 is missing"},
				{map[string]string{decisionDir + "/0003-a.md": "# 0003: A\n", decisionIndex: "- 0001 was never used.\n- 0002\n"}, "0002 is missing"},
				{map[string]string{decisionDir + "/0001-a.md": "# 0001: A\n", decisionIndex: "- 0001 was never used.\n"}, "0001 is used"},
				{map[string]string{decisionIndex: "- 0001 stands in `internal/gone`: A.\n"}, "0001 stands in internal/gone, where no package is"},
				{map[string]string{decisionIndex: "- 0001 was superseded by 0003: A.\n"}, "0001 was superseded by 0003, which is no page"},
				{map[string]string{decisionDir + "/0001-a.md": "# 0002: A\n"}, "its heading does not begin with # 0001: "},
				{map[string]string{decisionDir + "/a.md": "# A\n"}, "its name does not begin with a number"},
			},
			good: map[string]string{
				decisionDir + "/0001-a.md": "# 0001: A\n", decisionDir + "/0005-a.md": "# 0005: A\n",
				decisionIndex: "- 0002 was never used: two were written at the same time.\n" +
					"- 0003 stands in `internal/a`: A.\n- 0004 was superseded by 0005: A.\n",
				"internal/a/doc.go": "package a\n",
			},
		},
	}
}

// markersMeant are the tests of what ken says to a file that git left so.
func markersMeant() []string {
	return []string{"internal/cli/testdata/script/check.txtar"}
}

// checkMergeMarkers looks for what git leaves in a file when two changes meet. A row of
// equals signs alone is a heading in Markdown, so only the three others count.
func checkMergeMarkers(tr *tree) []string {
	marker := regexp.MustCompile(`(?m)^(<{7}|>{7}|\|{7}) \S`)
	var out []string
	err := tr.every(func(name string, text []byte) {
		if at := marker.FindIndex(text); at != nil && !slices.Contains(markersMeant(), name) {
			out = append(out, fmt.Sprintf("%s:%d: a merge marker", name, 1+bytes.Count(text[:at[0]], []byte("\n"))))
		}
	})
	if err != nil {
		out = append(out, err.Error())
	}
	return out
}

// every calls f with each file of the tree, testdata and files with a dot included:
// all but what git keeps and what is derived.
func (tr *tree) every(f func(name string, text []byte)) error {
	return fs.WalkDir(tr.fsys, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == ".git" || d.Name() == "bin"):
			return fs.SkipDir
		case !d.Type().IsRegular():
			return nil
		}
		text, err := fs.ReadFile(tr.fsys, name)
		if err == nil {
			f(name, text)
		}
		return err
	})
}

// checkOrphans follows the links from README.md through the papers. A link to a
// directory leads to what lies in it.
func checkOrphans(tr *tree) []string {
	papers, err := tr.glob(".md")
	if err != nil {
		return []string{err.Error()}
	}
	found := map[string]bool{}
	for next := []string{"README.md"}; len(next) > 0; {
		paper := next[0]
		next = next[1:]
		if found[paper] || !slices.Contains(papers, paper) {
			continue
		}
		found[paper] = true
		md, err := fs.ReadFile(tr.fsys, paper)
		if err != nil {
			return []string{err.Error()}
		}
		for _, l := range links(md) {
			target, _, _ := strings.Cut(l.to, "#")
			if target == "" {
				continue // a place in the same page
			}
			to := path.Join(path.Dir(paper), target)
			next = append(next, to)
			for _, p := range papers {
				if path.Dir(p) == to {
					next = append(next, p)
				}
			}
		}
	}
	var out []string
	for _, paper := range papers {
		if strings.HasPrefix(paper, "docs/") && !found[paper] {
			out = append(out, paper+": no page that a reader of README.md comes to links to it")
		}
	}
	return out
}

// checkNamedPages looks at the comments and texts of programs: what they tell a reader to read must be there.
// Tests are left out, since they make up pages of their own.
func checkNamedPages(tr *tree) []string {
	form := regexp.MustCompile(`(?:^|[^/\w])(docs/(?:decisions/\d{4}|[a-z/-]+\.md))`)
	var out []string
	err := tr.every(func(name string, text []byte) {
		program := path.Ext(name) == ".go" && !strings.HasSuffix(name, "_test.go") || path.Base(name) == "Makefile" || path.Ext(name) == ".yml"
		if !program || strings.Contains(name, "testdata/") {
			return
		}
		for _, m := range form.FindAllSubmatchIndex(text, -1) {
			page := string(text[m[2]:m[3]])
			if found, _ := fs.Glob(tr.fsys, page+"*"); len(found) == 0 {
				line := 1 + bytes.Count(text[:m[2]], []byte("\n"))
				out = append(out, fmt.Sprintf("%s:%d: names %s, which does not exist", name, line, page))
			}
		}
	})
	if err != nil {
		out = append(out, err.Error())
	}
	return out
}

// checkDecisions wants every number up to the last to be one page, or a line of
// decisionIndex that says why it is none. Without that line the page was lost. The line is one of
//
//   - 0002 was never used
//   - 0003 stands in `internal/a`
//   - 0004 was superseded by 0005
func checkDecisions(tr *tree) []string {
	pages, err := fs.Glob(tr.fsys, decisionDir+"/*.md")
	if err != nil {
		return []string{err.Error()}
	}
	index, _ := fs.ReadFile(tr.fsys, decisionIndex)
	var out []string
	unused := map[int]bool{}
	form := regexp.MustCompile("(?m)^- (\\d{4}) (?:was never used|stands in `([^`]+)`|was superseded by (\\d{4}))")
	for _, m := range form.FindAllStringSubmatch(string(index), -1) {
		n, _ := strconv.Atoi(m[1]) // four digits
		unused[n] = true
		if code, _ := fs.Glob(tr.fsys, m[2]+"/*.go"); m[2] != "" && len(code) == 0 {
			out = append(out, fmt.Sprintf("%s: %s stands in %s, where no package is", decisionIndex, m[1], m[2]))
		}
		later := func(page string) bool { return strings.HasPrefix(path.Base(page), m[3]+"-") }
		if m[3] != "" && !slices.ContainsFunc(pages, later) {
			out = append(out, fmt.Sprintf("%s: %s was superseded by %s, which is no page", decisionIndex, m[1], m[3]))
		}
	}
	used, last := map[int]string{}, 0
	for _, page := range pages {
		if page == decisionIndex {
			continue
		}
		number, _, _ := strings.Cut(path.Base(page), "-")
		n, err := strconv.Atoi(number)
		if err != nil || len(number) != 4 {
			out = append(out, page+": its name does not begin with a number of four digits and a dash")
			continue
		}
		if other := used[n]; other != "" {
			out = append(out, fmt.Sprintf("%s: %s stands twice, see %s", page, number, other))
		}
		if unused[n] {
			out = append(out, fmt.Sprintf("%s: %s is used, and %s says that it has no page", page, number, decisionIndex))
		}
		text, err := fs.ReadFile(tr.fsys, page)
		if err != nil || !bytes.HasPrefix(text, []byte("# "+number+": ")) {
			out = append(out, fmt.Sprintf("%s: its heading does not begin with # %s: ", page, number))
		}
		used[n], last = page, max(last, n)
	}
	for n := 1; n <= last; n++ {
		if used[n] == "" && !unused[n] {
			out = append(out, fmt.Sprintf("%s: %04d is missing, and no line of %s says why", decisionDir, n, decisionIndex))
		}
	}
	return out
}
