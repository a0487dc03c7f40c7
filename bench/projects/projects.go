package projects

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ken/bench/fts"
	"ken/internal/config"
	"ken/internal/index"
	"ken/internal/memory"
	"ken/internal/recall"
)

// Questions is the file beside memory.jsonl that makes a directory one for Run.
const Questions = "questions.jsonl"

// A question is one with what is right.
type question struct {
	Here  memory.Scope `json:"here"`
	About string       `json:"about"`
	Text  string       `json:"question"`
	Right []int        `json:"right"`
}

// A set is a memory and the questions about it.
type set struct {
	state     *memory.State
	corpora   []*index.Corpus
	at        time.Time // of all questions: just after the last item was stated
	questions []question
}

// Has reports whether dir is one for Run.
func Has(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "memory.jsonl"))
	return err == nil
}

// Run measures what is in dir, and writes the table and what went wrong to out. Where
// there is a sqlite3, what its FTS5 finds stands beside; its table goes into work, an
// empty directory.
func Run(ctx context.Context, out io.Writer, dir, work string) error {
	s, err := load(dir)
	if err != nil {
		return err
	}
	answers, err := s.ask(ctx)
	if err != nil {
		return err
	}
	note := ""
	if err := s.askBeside(ctx, answers, work); errors.Is(err, fts.ErrMissing) {
		note = err.Error() + ": nothing stands beside\n"
	} else if err != nil {
		return err
	}
	_, err = io.WriteString(out, note+table(answers)+"\n"+wrong(s, answers))
	return err
}

// askBeside asks sqlite3 for the words of each question. What does not hold where it is
// asked is left out afterwards.
func (s *set) askBeside(ctx context.Context, answers []answer, work string) error {
	var texts, refs []string
	scopes := make(map[string]memory.Scope)
	for _, it := range s.state.Items() {
		if it.Current(s.at) {
			texts = append(texts, it.Record.Content+" "+strings.Join(it.Record.Tags, " ")+" "+it.Record.Key)
			refs, scopes[it.Ref()] = append(refs, it.Ref()), it.Record.Scope
		}
	}
	t, err := fts.New(ctx, work, texts)
	if err != nil {
		return err
	}
	questions := make([][]string, len(answers))
	for i, a := range answers {
		questions[i] = fts.Words(a.Text)
	}
	found, _, err := t.Ask(ctx, questions, len(texts))
	for i, rows := range found {
		a := &answers[i]
		for _, row := range rows {
			if sc := scopes[refs[row]]; (sc == "" || sc == memory.ScopeUser || sc == a.Here) && len(a.beside) < 10 {
				a.beside = append(a.beside, refs[row])
			}
		}
	}
	return err
}

func load(dir string) (*set, error) {
	s := &set{}
	text, err := os.ReadFile(filepath.Join(dir, "memory.jsonl"))
	if err != nil {
		return nil, err
	}
	l := memory.Lines{Log: "memory", Own: true}
	for line := range bytes.Lines(text) {
		l.Entries = append(l.Entries, memory.ParseLine(bytes.TrimSuffix(line, []byte("\n"))))
	}
	s.state = memory.Fold(l)
	for _, it := range s.state.Items() {
		if it.Record.Time.After(s.at) {
			s.at = it.Record.Time
		}
	}
	s.at = s.at.Add(time.Hour)
	s.corpora = []*index.Corpus{index.NewScan(slices.Values(index.Items(s.state, s.at)))}
	f, err := os.Open(filepath.Join(dir, Questions))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var q question
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", Questions, len(s.questions)+1, err)
		}
		for _, id := range q.Right {
			if _, ok := s.item(fmt.Sprint(id)); !ok {
				return nil, fmt.Errorf("%s, line %d: no active item %d", Questions, len(s.questions)+1, id)
			}
		}
		s.questions = append(s.questions, q)
	}
	return s, lines.Err()
}

// item finds an active item.
func (s *set) item(ref string) (memory.Item, bool) {
	id, err := memory.ParseID(ref)
	if err != nil {
		return memory.Item{}, false
	}
	it, status := s.state.Get(id.From(s.state.OwnLog()))
	return it, status == memory.StatusActive
}

// An answer is what a question called up and found, as references.
type answer struct {
	*question
	called []string // with the question, by recall.Activate
	found  []string // the first ten, by recall.Search
	beside []string // the first ten, by sqlite3; nil where there is none
	leaked []string // of both but beside, what does not hold where it was asked
}

// right are the references of what is right.
func (q *question) right() []string {
	var out []string
	for _, id := range q.Right {
		out = append(out, fmt.Sprint(id))
	}
	return out
}

// ask asks every question with the settings that ken has if none are made.
func (s *set) ask(ctx context.Context) ([]answer, error) {
	c := config.Default().Memory
	var out []answer
	for i := range s.questions {
		a := answer{question: &s.questions[i]}
		holds := func(sc memory.Scope) bool { return sc == a.Here }
		n := recall.ActivationRequest{
			Query: recall.Query{Holds: holds, At: s.at, Tokens: c.ActivateMaxTokens},
			Text:  a.Text, Items: c.ActivateMaxItems, Item: s.item,
		}
		got, err := recall.Activate(ctx, s.corpora, n)
		if err != nil {
			return nil, err
		}
		for _, f := range got.Chosen {
			a.called = append(a.called, f.Item.Ref())
			if sc := f.Item.Record.Scope; sc != "" && sc != memory.ScopeUser && !holds(sc) {
				a.leaked = append(a.leaked, f.Item.Ref())
			}
		}
		hits, err := recall.Search(ctx, s.corpora, recall.Question{
			Text: a.Text, K: 10, At: s.at,
			Keep: func(c *index.Corpus, r *index.Row) bool {
				sc := c.Name(r.Scope)
				return sc == string(memory.ScopeUser) || sc == string(a.Here)
			},
			Holds: func(sc string) bool { return sc == string(a.Here) },
		})
		if err != nil {
			return nil, err
		}
		for _, h := range hits {
			a.found = append(a.found, h.Ref)
			if h.Scope != string(memory.ScopeUser) && h.Scope != string(a.Here) {
				a.leaked = append(a.leaked, h.Ref)
			}
		}
		out = append(out, a)
	}
	return out, nil
}

// figures are sums over questions.
type figures struct {
	n, called, calledRight int // questions; items called up, and right ones of them
	right, leaked          int // items that are right, and that are of another project
	silent                 int // questions that called up nothing
	first, five            int // of what was found: right ones in the first place, among the first five
	besideFirst            int // the same of what sqlite3 found
	besideFive             int
}

func (f *figures) add(a answer) {
	f.n++
	f.called += len(a.called)
	f.right += len(a.Right)
	f.leaked += len(a.leaked)
	if len(a.called) == 0 {
		f.silent++
	}
	right := a.right()
	for _, ref := range a.called {
		if slices.Contains(right, ref) {
			f.calledRight++
		}
	}
	count := func(found []string, first, five *int) {
		for i, ref := range found[:min(5, len(found))] {
			if slices.Contains(right, ref) {
				*five++
				if i == 0 {
					*first++
				}
			}
		}
	}
	count(a.found, &f.first, &f.five)
	count(a.beside, &f.besideFirst, &f.besideFive)
}

// precision is the share of what was called up that is right.
func (f *figures) precision() float64 { return share(f.calledRight, f.called) }

func share(a, b int) float64 { return float64(a) / float64(max(1, b)) }

// sums are the figures by what the questions are about, in the order of the
// questions; first those of all, and of those that have an answer.
func sums(answers []answer) (names []string, by map[string]*figures) {
	names, by = []string{"all", "with an answer"}, map[string]*figures{"all": {}, "with an answer": {}}
	for _, a := range answers {
		if by[a.About] == nil {
			names, by[a.About] = append(names, a.About), &figures{}
		}
		by["all"].add(a)
		by[a.About].add(a)
		if len(a.Right) > 0 {
			by["with an answer"].add(a)
		}
	}
	return names, by
}

// table shows the figures. A dash stands where there is nothing to divide.
func table(answers []answer) string {
	var b strings.Builder
	const form = "%-16s %5v %10s %7s %7s %7s %6s %6s %6s %6v\n"
	fmt.Fprintf(&b, form, "questions", "n", "precision", "recall", "silent", "hit@1", "FTS5", "R@5", "FTS5", "leaks")
	beside := slices.ContainsFunc(answers, func(a answer) bool { return a.beside != nil })
	names, by := sums(answers)
	for _, name := range names {
		f := by[name]
		cell := func(of, among int) string {
			if among == 0 {
				return "-"
			}
			return fmt.Sprintf("%.3f", share(of, among))
		}
		hit1, five := []string{"-", "-"}, []string{cell(f.five, f.right), "-"}
		if f.right > 0 {
			hit1[0] = cell(f.first, f.n)
		}
		if f.right > 0 && beside {
			hit1[1], five[1] = cell(f.besideFirst, f.n), cell(f.besideFive, f.right)
		}
		fmt.Fprintf(&b, form, name, f.n, cell(f.calledRight, f.called), cell(f.calledRight, f.right),
			cell(f.silent, f.n), hit1[0], hit1[1], five[0], five[1], f.leaked)
	}
	return b.String()
}

// wrong names each question that called up too much or too little.
func wrong(s *set, answers []answer) string {
	var b strings.Builder
	for _, a := range answers {
		right := a.right()
		var much, little []string
		for _, ref := range a.called {
			if !slices.Contains(right, ref) {
				it, _ := s.item(ref)
				much = append(much, fmt.Sprintf("  + %s %s\n", ref, it.Record.Content))
			}
		}
		for _, ref := range right {
			if !slices.Contains(a.called, ref) {
				it, _ := s.item(ref)
				little = append(little, fmt.Sprintf("  - %s %s\n", ref, it.Record.Content))
			}
		}
		if len(much)+len(little) > 0 {
			fmt.Fprintf(&b, "%s: %s\n%s%s", a.About, a.Text, strings.Join(little, ""), strings.Join(much, ""))
		}
	}
	return b.String()
}
