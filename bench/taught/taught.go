// Package taught counts how lines that people type are read: what is kept, proposed,
// corrected and forgotten, against a corpus that says what they want.
package taught

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"ken/internal/teach"
)

// A Case is a line of a corpus.
type Case struct {
	ID      string `json:"id"`
	Text    string `json:"text"`
	Lang    string `json:"lang"`
	Label   string `json:"label"` // explicit, implicit, correction, forget or none
	Kind    string `json:"kind"`
	Content string `json:"content"`
}

// wants is the act that each label asks for.
func wants(label string) (teach.Act, bool) {
	switch label {
	case "explicit":
		return teach.Keep, true
	case "implicit":
		return teach.Propose, true
	case "correction":
		return teach.Correct, true
	case "forget":
		return teach.Forget, true
	}
	return teach.None, label == "none"
}

// Read reads the corpus in a file.
func Read(path string) ([]Case, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var all []Case
	in := bufio.NewScanner(f)
	in.Buffer(nil, 1<<20)
	for n := 1; in.Scan(); n++ {
		if strings.TrimSpace(in.Text()) == "" {
			continue
		}
		var c Case
		if err := json.Unmarshal(in.Bytes(), &c); err != nil {
			return nil, fmt.Errorf("corpus %s: line %d: %w", path, n, err)
		}
		if _, ok := wants(c.Label); !ok {
			return nil, fmt.Errorf("corpus %s: line %d: label %q", path, n, c.Label)
		}
		all = append(all, c)
	}
	if err := in.Err(); err != nil {
		return nil, fmt.Errorf("corpus %s: %w", path, err)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("corpus %s: no line in it", path)
	}
	return all, nil
}

// A Row counts the lines of one label and language; Lang "" is of all.
type Row struct {
	Label, Lang string
	Cases       int
	Acts        [teach.Hint + 1]int
	// Of the lines that were read as they should be: how many have the kind and the
	// content of the corpus, and how many the same words.
	Kinds, Texts, Words int
}

// Good is how many lines were read as they should be. A hint to a line that wants nothing
// does no harm, and a correction that is proposed or kept is a correction missed.
func (r Row) Good() int {
	act, _ := wants(r.Label)
	if act == teach.None {
		return r.Acts[teach.None] + r.Acts[teach.Hint]
	}
	return r.Acts[act]
}

// Count reads every case. missed gets those that are read otherwise than they should be.
func Count(cases []Case, missed func(Case, teach.Reading)) []Row {
	rows := make(map[[2]string]*Row)
	for _, c := range cases {
		r := teach.Read(c.Text)
		act, _ := wants(c.Label)
		good := r.Act == act || act == teach.None && r.Act == teach.Hint
		if !good && missed != nil {
			missed(c, r)
		}
		for _, lang := range [...]string{"", c.Lang} {
			k := [2]string{c.Label, lang}
			if rows[k] == nil {
				rows[k] = &Row{Label: c.Label, Lang: lang}
			}
			row := rows[k]
			row.Cases++
			row.Acts[r.Act]++
			if good && act != teach.None && act != teach.Forget {
				row.Kinds += count(string(r.Kind) == c.Kind)
				row.Texts += count(r.Text == c.Content)
				row.Words += count(same(r.Text, c.Content))
			}
		}
	}
	order := []string{"explicit", "implicit", "correction", "forget", "none"}
	return slices.SortedFunc(deref(rows), func(a, b Row) int {
		return cmp.Or(slices.Index(order, a.Label)-slices.Index(order, b.Label), cmp.Compare(a.Lang, b.Lang))
	})
}

func deref(rows map[[2]string]*Row) func(func(Row) bool) {
	return func(yield func(Row) bool) {
		for r := range maps.Values(rows) {
			if !yield(*r) {
				return
			}
		}
	}
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

// same reports whether two texts have the same words, in whatever order.
func same(a, b string) bool {
	words := func(s string) []string {
		list := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return strings.ContainsRune(" ,.;:!?。，、", r) })
		slices.Sort(list)
		return list
	}
	return slices.Equal(words(a), words(b))
}

// Report writes what is read of the corpus in a file.
func Report(w io.Writer, path string, now func() time.Time) error {
	cases, err := Read(path)
	if err != nil {
		return err
	}
	var missed []string
	rows := Count(cases, func(c Case, r teach.Reading) {
		missed = append(missed, fmt.Sprintf("%s  %s %s, read as %s: %s", c.ID, c.Label, c.Lang, r.Act, c.Text))
	})
	var b strings.Builder
	fmt.Fprintf(&b, "%-11s %-5s %6s %6s  %5s %8s %8s %7s %5s %5s  %5s %8s %6s\n",
		"label", "lang", "lines", "good", "keep", "propose", "correct", "forget", "hint", "none", "kind", "content", "words")
	for _, r := range rows {
		fmt.Fprintf(&b, "%-11s %-5s %6d %5.1f%%  %5d %8d %8d %7d %5d %5d  %5d %8d %6d\n", r.Label, cmp.Or(r.Lang, "all"), r.Cases,
			100*float64(r.Good())/float64(r.Cases), r.Acts[teach.Keep], r.Acts[teach.Propose], r.Acts[teach.Correct],
			r.Acts[teach.Forget], r.Acts[teach.Hint], r.Acts[teach.None], r.Kinds, r.Texts, r.Words)
	}
	start := now()
	for _, c := range cases {
		teach.Read(c.Text)
	}
	fmt.Fprintf(&b, "\n%d lines, %.3f ms a line\n", len(cases), now().Sub(start).Seconds()*1000/float64(len(cases)))
	if len(missed) > 0 {
		fmt.Fprintf(&b, "\nread otherwise:\n%s\n", strings.Join(missed, "\n"))
	}
	_, err = io.WriteString(w, b.String())
	return err
}
