package patterns_test

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"ken/internal/learn/patterns"
	"ken/internal/memory"
)

// A written is a line of testdata/drafts.txt: a draft of a group, and what is to become of it.
type written struct {
	group, content string
	cites          []string
	want           string // "+": passes, "~": passes with a mark, else the class of what is refused
}

// drafts reads testdata/drafts.txt: the groups, and what was written of them. The memory n of
// group g has the number 100(g+1)+n.
func drafts(t *testing.T) (list []patterns.Cluster, all []written) {
	t.Helper()
	b, err := os.ReadFile("testdata/drafts.txt")
	if err != nil {
		t.Fatal(err)
	}
	var c *patterns.Cluster
	var name string
	var cites []string
	number := func(n string) int64 {
		i, err := strconv.ParseInt(n, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		return int64(100*len(list)) + i
	}
	for line := range strings.Lines(string(b)) {
		line = strings.TrimSpace(line)
		mark, rest, _ := strings.Cut(strings.ReplaceAll(line, "\t", " "), " ")
		switch mark {
		case "", "#":
		case "=":
			name, cites = rest, nil
			list = append(list, patterns.Cluster{Depth: 1})
			c = &list[len(list)-1]
		case "+", "~", "-":
			rest = strings.ReplaceAll(rest, "{key}", "sk-proj-"+strings.Repeat("aB3", 16)) // no scanner is to find one
			w := written{group: name, content: rest, cites: cites, want: mark}
			if mark == "-" {
				w.want, w.content, _ = strings.Cut(rest, " | ")
			}
			if own, after, ok := strings.Cut(w.content, "] "); ok && w.content[0] == '[' {
				w.content, w.cites = after, nil
				for n := range strings.FieldsSeq(own[1:]) {
					w.cites = append(w.cites, strconv.FormatInt(number(n), 10))
				}
			}
			all = append(all, w)
		default:
			n := number(mark)
			c.Items = append(c.Items, item(n, memory.KindLesson, "", "s"+mark, rest))
			if mark < "9" {
				cites = append(cites, strconv.FormatInt(n, 10))
			}
		}
	}
	return list, all
}

// TestR385Drafts: what is honest passes, and what goes beyond the cited words is marked; what
// contradicts them, or names what none of them has, is refused.
func TestR385Drafts(t *testing.T) {
	t.Parallel()
	clusters, all := drafts(t)
	honest, passed, bad, through := 0, 0, 0, 0
	for _, w := range all {
		_, err := patterns.Check(draft(w.content, w.cites...), patterns.Basis{Clusters: clusters})
		switch {
		case w.want == "+" || w.want == "~":
			honest++
			if err == nil {
				passed++
			} else {
				t.Logf("refused: %s: %s: %v", w.group, w.content, err)
			}
		default:
			bad++
			if err == nil {
				through++
				t.Errorf("%s passes (%s): %s", w.group, w.want, w.content)
			}
		}
	}
	t.Logf("%d of %d honest drafts pass, %d of %d others", passed, honest, through, bad)
	if 10*passed < 9*honest || honest < 40 || bad < 40 {
		t.Errorf("%d of %d honest drafts pass", passed, honest)
	}
}
