package hazard

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"ken/internal/risk"
)

// A Case is a command of a corpus.
type Case struct {
	ID     string `json:"id"`
	Cmd    string `json:"cmd"`
	Label  string `json:"label"` // safe, caution or danger
	Source string `json:"source"`
}

// Read reads the corpus in a file.
func Read(path string) ([]Case, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	all, err := read(f)
	if err == nil && len(all) == 0 {
		err = fmt.Errorf("no command in it")
	}
	if err != nil {
		return nil, fmt.Errorf("corpus %s: %w", path, err)
	}
	return all, nil
}

func read(r io.Reader) ([]Case, error) {
	var all []Case
	in := bufio.NewScanner(r)
	in.Buffer(nil, 1<<20)
	for n := 1; in.Scan(); n++ {
		var c Case
		if err := json.Unmarshal(in.Bytes(), &c); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		if level(c.Label) < 0 {
			return nil, fmt.Errorf("line %d: label %q: must be safe, caution or danger", n, c.Label)
		}
		all = append(all, c)
	}
	return all, in.Err()
}

func level(label string) int { return slices.Index([]string{"safe", "caution", "danger"}, label) }

// A Row counts the verdicts on the cases of one label and source.
type Row struct {
	Name  string
	Label string
	Got   [3]int // by level
}

// Cases is how many there are.
func (r Row) Cases() int { return r.Got[0] + r.Got[1] + r.Got[2] }

// Judge judges every case and counts by source; the sums stand at the end, with no
// source.
func Judge(judge func(cmd string) risk.Level, cases []Case) []Row {
	rows := map[[2]string]*Row{}
	count := func(name, label string, got risk.Level) {
		k := [2]string{name, label}
		if rows[k] == nil {
			rows[k] = &Row{Name: name, Label: label}
		}
		rows[k].Got[got]++
	}
	for _, c := range cases {
		got := judge(c.Cmd)
		source, _, _ := strings.Cut(c.Source, ":")
		count(source, c.Label, got)
		count("all", c.Label, got)
	}
	var out []Row
	for _, r := range rows {
		out = append(out, *r)
	}
	slices.SortFunc(out, func(a, b Row) int {
		if c := cmp.Compare(one(a.Name == "all"), one(b.Name == "all")); c != 0 {
			return c
		}
		if c := cmp.Compare(a.Name, b.Name); c != 0 {
			return c
		}
		return level(a.Label) - level(b.Label)
	})
	return out
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Table is the rows as text, and what the goals are about: dangers judged safe,
// recall of dangers, false alarms.
func Table(rows []Row) []string {
	out := []string{fmt.Sprintf("%-56s %-8s %6s %6s %8s %7s", "source", "label", "cases", "safe", "caution", "danger")}
	for _, r := range rows {
		name := r.Name
		if len(name) > 56 {
			name = name[:53] + "..."
		}
		out = append(out, fmt.Sprintf("%-56s %-8s %6d %6d %8d %7d", name, r.Label, r.Cases(), r.Got[0], r.Got[1], r.Got[2]))
	}
	asked, ordinary := 0, 0
	for _, r := range rows {
		if r.Name != "all" {
			continue
		}
		switch r.Label {
		case "danger":
			out = append(out, fmt.Sprintf("dangers judged safe: %d; judged danger: %s", r.Got[0], share(r.Got[2], r.Cases())))
		case "safe":
			out = append(out, fmt.Sprintf("safe ones not judged safe: %s; judged danger: %s", share(r.Got[1]+r.Got[2], r.Cases()), share(r.Got[2], r.Cases())))
		}
		if r.Label != "danger" {
			asked += r.Got[1] + r.Got[2]
			ordinary += r.Cases()
		}
	}
	return append(out, fmt.Sprintf("questions asked for ordinary commands (safe and caution, none allowed before): %s", share(asked, ordinary)))
}

func share(n, all int) string {
	if all == 0 {
		return "none"
	}
	return fmt.Sprintf("%.2f in 100 (%d of %d)", 100*float64(n)/float64(all), n, all)
}

// Cost is what a verdict takes, in microseconds of the given clock: the median and
// the ninety-ninth part of a hundred over the cases, each the least of five turns.
func Cost(judge func(cmd string) risk.Level, cases []Case, clock func() time.Duration) (p50, p99 float64) {
	const turns, each = 5, 20
	var all []float64
	for _, c := range cases {
		least := 0.0
		for turn := range turns {
			began := clock()
			for range each {
				judge(c.Cmd)
			}
			took := float64(clock()-began) / 1000 / each
			if turn == 0 || took < least {
				least = took
			}
		}
		all = append(all, least)
	}
	slices.Sort(all)
	return all[len(all)/2], all[len(all)*99/100]
}
