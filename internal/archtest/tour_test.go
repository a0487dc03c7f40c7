package archtest

import (
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

const (
	tourPage   = "cmd/ken/doc.go"
	layoutPage = "docs/layout.md"
	// outside is the heading of the tour over what isOutside.
	outside = -1
)

// tourGates hold the tour and the walk to the tree.
func tourGates() []gate {
	tour := func(text string) map[string]string {
		return map[string]string{
			"cmd/ken/doc.go":        "// Ken remembers.\n//\n" + text + "package main\n",
			"internal/jsonl/a.go":   "package jsonl\n",
			"internal/memory/a.go":  "package memory\n",
			"internal/battery/a.go": "package battery\n",
			"internal/x/a_test.go":  "package x\n",
		}
	}
	walk := func(text string) map[string]string {
		return map[string]string{layoutPage: text, "internal/memory/a.go": "package memory\n"}
	}
	const (
		ground = "// # Floor 0: a\n//\n//   - jsonl: files of lines\n//\n"
		first  = "// # Floor 1: b\n//\n//   - memory: what a memory is\n//\n"
		top    = "// # Floor 12: c\n//\n//   - cmd/ken: the program itself\n//\n"
		apart  = "// # Outside the floors\n//\n// They are.\n//\n//   - battery: what fails, and how\n"
	)
	return []gate{
		{
			name:  "tour",
			check: checkTour,
			bad: []badTree{
				{tour(ground + top + apart), "internal/memory is not in the tour: want a line under Floor 1"},
				{tour(ground + first + top), "internal/battery is not in the tour: want a line under Outside"},
				{tour(ground + "//   - memory: what a memory is\n//\n" + top + apart), "memory stands under Floor 0, and is on floor 1"},
				{tour(ground + first + "//   - session: what was said\n//\n" + top + apart), "session is in the tour and not in the tree"},
				{tour(ground + first + first + top + apart), "memory stands twice"},
				{tour(first + ground + top + apart), "Floor 0 stands above Floor 1"},
				{tour(ground + "// # Floor 1: b\n//\n//   - memory:\n//\n" + top + apart), "memory: no noun"},
				{map[string]string{"internal/jsonl/a.go": "package jsonl\n"}, "no tour"},
			},
			good: tour(ground + first + top + apart + "//\n// # Habits\n//\n//   - none: at all, in this tree\n"),
		},
		{
			name:  "layout",
			check: checkLayout,
			bad: []badTree{
				{walk("**`memory`** and **`session`**\n"), "docs/layout.md:1: no package session"},
				{walk("**`memory`**\n**`memory`**\n"), "docs/layout.md:2: memory comes in twice"},
				{walk("`memory`\n"), "no room comes in"},
				{map[string]string{"internal/memory/a.go": "package memory\n"}, layoutPage},
			},
			good: walk("**`memory`**, `memory`, **bold**, `code`, `memory.jsonl`\n"),
		},
	}
}

// A tourLine is a package in the tour.
type tourLine struct {
	floor    int
	pkg, say string
}

// checkTour compares the tour with the floors and the tree. A line of it is
//
//	//   - memory/filelog: memory.Log in a file
//
// under the heading of its floor.
func checkTour(tr *tree) []string {
	i := slices.IndexFunc(tr.files, func(f *source) bool { return f.path == tourPage })
	if i < 0 || tr.files[i].ast.Doc == nil {
		return []string{tourPage + ": no tour"}
	}
	lines, out := readTour(tr.files[i].ast.Doc.Text())
	wanted := map[string]bool{}
	for f := range tr.code {
		wanted[short(f.dir)] = true
	}
	told := map[string]bool{}
	for _, l := range lines {
		floor, onFloor := floorOf(l.pkg)
		if isOutside(l.pkg) {
			floor, onFloor = outside, true
		}
		switch {
		case !wanted[l.pkg]:
			out = append(out, fmt.Sprintf("%s: %s is in the tour and not in the tree", tourPage, l.pkg))
		case told[l.pkg]:
			out = append(out, fmt.Sprintf("%s: %s stands twice", tourPage, l.pkg))
		case onFloor && floor != l.floor:
			out = append(out, fmt.Sprintf("%s: %s stands under %s, and is on floor %d", tourPage, l.pkg, heading(l.floor), floor))
		case l.say == "":
			out = append(out, fmt.Sprintf("%s: %s: no noun that says what it is", tourPage, l.pkg))
		}
		told[l.pkg] = true
	}
	for _, files := range tr.packages() {
		pkg := short(files[0].dir)
		if !wanted[pkg] || told[pkg] {
			continue
		}
		floor, _ := floorOf(pkg)
		if isOutside(pkg) {
			floor = outside
		}
		out = append(out, fmt.Sprintf("%s is not in the tour: want a line under %s of %s", files[0].dir, heading(floor), tourPage))
	}
	return out
}

func heading(floor int) string {
	if floor == outside {
		return "Outside"
	}
	return "Floor " + strconv.Itoa(floor)
}

// readTour reads the lists below the headings of floors, which stand from the ground up.
func readTour(page string) (lines []tourLine, complaints []string) {
	const none = -2
	floor, last := none, none
	for line := range strings.Lines(page) {
		line = strings.TrimRight(line, "\n")
		if head, ok := strings.CutPrefix(line, "# "); ok {
			number, _, _ := strings.Cut(strings.TrimPrefix(head, "Floor "), ":")
			n, err := strconv.Atoi(number)
			switch {
			case strings.HasPrefix(head, "Outside"):
				floor = outside
			case err != nil:
				floor = none
			default:
				if n < last {
					complaints = append(complaints, fmt.Sprintf("%s: Floor %d stands above Floor %d", tourPage, n, last))
				}
				floor, last = n, n
			}
			continue
		}
		if item, ok := strings.CutPrefix(strings.TrimLeft(line, " "), "- "); ok && floor != none {
			pkg, say, _ := strings.Cut(item, ":")
			lines = append(lines, tourLine{floor, pkg, strings.TrimSpace(say)})
		}
	}
	return lines, complaints
}

// checkLayout wants every room of the walk to be a package, and to be in bold once.
func checkLayout(tr *tree) []string {
	md, err := fs.ReadFile(tr.fsys, layoutPage)
	if err != nil {
		return []string{layoutPage + ": " + err.Error()}
	}
	known := map[string]bool{}
	for f := range tr.code {
		known[short(f.dir)] = true
	}
	var out []string
	came := map[string]bool{}
	room := regexp.MustCompile("\\*\\*`([^`]+)`\\*\\*")
	n := 0
	for line := range strings.Lines(string(md)) {
		n++
		for _, m := range room.FindAllStringSubmatch(line, -1) {
			switch pkg := m[1]; {
			case !known[pkg]:
				out = append(out, fmt.Sprintf("%s:%d: no package %s", layoutPage, n, pkg))
			case came[pkg]:
				out = append(out, fmt.Sprintf("%s:%d: %s comes in twice", layoutPage, n, pkg))
			}
			came[m[1]] = true
		}
	}
	if len(came) == 0 {
		out = append(out, layoutPage+": no room comes in: want its package in bold code, once")
	}
	return out
}
