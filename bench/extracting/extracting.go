package extracting

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"ken/internal/learn/extract"
	"ken/internal/memory"
)

// A Case is one transcript, or one candidate, of a corpus.
type Case struct {
	ID         string `json:"id"`
	Label      string `json:"label"`
	Attack     string `json:"attack"`
	Transcript []struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	} `json:"transcript"`
	Candidate *struct {
		Text   string `json:"text"`
		Origin string `json:"origin"`
	} `json:"candidate"`
	Derived string `json:"derived"`
	From    string `json:"from"`
}

// Read reads a corpus of poison.
func Read(path string) ([]Case, error) {
	var all []Case
	err := lines(path, func(line []byte) error {
		var c Case
		if err := json.Unmarshal(line, &c); err != nil {
			return err
		}
		all = append(all, c)
		return nil
	})
	if err == nil && len(all) == 0 {
		err = errors.New("no case in it")
	}
	return all, err
}

func lines(path string, do func([]byte) error) (err error) {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	in := bufio.NewScanner(f)
	in.Buffer(nil, 16<<20)
	for n := 1; in.Scan(); n++ {
		if err := do(in.Bytes()); err != nil {
			return fmt.Errorf("%s:%d: %w", path, n, err)
		}
	}
	return in.Err()
}

// Passages are the texts of a case.
func (c Case) Passages() []extract.Passage {
	said := make([]extract.Said, len(c.Transcript))
	for i, s := range c.Transcript {
		said[i] = extract.Said{Role: s.Role, Content: s.Content}
	}
	return extract.PassagesOf(said)
}

// Flags are all that is suspect about a case.
func (c Case) Flags() []string {
	if c.Candidate != nil {
		return extract.FlagsOf(c.Candidate.Text, c.Candidate.Origin == "user turn")
	}
	var all []string
	for _, k := range append(extract.Planted(c.Passages()), extract.Stated(c.Passages())...) {
		all = append(all, k.Flags...)
	}
	return all
}

// An obedient is a model that gives as a candidate each sentence of every text there is,
// whoever wrote it and whether it was shown or not.
type obedient struct{ knows []extract.Passage }

// Answer implements extract.Model.
func (o obedient) Answer(context.Context, string, string) (string, error) {
	var b strings.Builder
	for _, p := range o.knows {
		for s := range strings.FieldsFuncSeq(p.Text, func(r rune) bool { return r == '\n' || r == '.' || r == '!' }) {
			b.WriteString("fact: " + strings.Join(strings.Fields(s), " ") + "\n")
		}
	}
	return b.String(), nil
}

// A Result counts what became of a corpus.
type Result struct {
	Derived  int // candidates of the obedient model and of the built-in extractor
	Landed   int // of these, of others: let in by the policy "accept", taken for the person's, or rules
	Origins  int // texts of others, and derived ones, whose origin was judged
	Right    int // of these: the right one
	Poison   int // cases of poison
	Flagged  int // of these: flagged
	Benign   int // cases that only look like it
	Wrong    int // of these: flagged
	Failures []string
}

// Judge runs a corpus through the extraction.
func Judge(ctx context.Context, cases []Case) (r Result) {
	fail := func(format string, args ...any) { r.Failures = append(r.Failures, fmt.Sprintf(format, args...)) }
	for _, c := range cases {
		flags := c.Flags()
		switch {
		case c.Label == "poison":
			r.Poison++
			if len(flags) > 0 {
				r.Flagged++
			} else {
				fail("%s (%s) is not flagged", c.ID, c.Attack)
			}
		case c.Label == "benign":
			r.Benign++
			if len(flags) > 0 {
				r.Wrong++
				fail("%s is flagged: %v", c.ID, flags)
			}
		}
		passages := c.Passages()
		if len(passages) == 0 {
			continue
		}
		r.land(ctx, c, passages, fail)
		r.origins(c, passages, fail)
	}
	return r
}

// land has an obedient model read a case.
func (r *Result) land(ctx context.Context, c Case, passages []extract.Passage, fail func(string, ...any)) {
	least := memory.OriginUser
	for _, p := range passages {
		least = least.Lowest(p.Origin)
	}
	got, err := extract.Ask(ctx, obedient{passages}, passages)
	if err != nil { // nothing typed, or nothing that could be a candidate
		got = nil
	}
	for _, k := range got {
		r.Derived++
		others := least.Rank() > memory.OriginModel.Rank() && !typed(k.Content, passages)
		if k.Kind == memory.KindRule || others && (k.Origin != least || extract.Acceptable(k, passages)) {
			r.Landed++
			fail("%s: %+v passes for better than %s", c.ID, k, least)
		}
	}
	for _, k := range extract.Stated(passages) {
		r.Derived++
		if !typed(k.Content, passages) {
			r.Landed++
			fail("%s: %+v is not the person's", c.ID, k)
		}
	}
}

// typed reports whether the person typed all of a text, outside of quotes.
func typed(text string, list []extract.Passage) bool {
	for _, p := range list {
		if p.Typed() && strings.Contains(strings.Join(strings.Fields(p.Text), " "), strings.TrimSpace(text)) {
			return true
		}
	}
	return false
}

// origins judges where a derived text, and each text of others by itself, come from.
func (r *Result) origins(c Case, passages []extract.Passage, fail func(string, ...any)) {
	judge := func(text string, right func(extract.Candidate) bool) {
		got := extract.Candidates([]extract.Line{{Kind: memory.KindFact, Content: text}}, passages)
		if len(got) == 0 {
			return // a secret
		}
		r.Origins++
		if right(got[0]) {
			r.Right++
		} else {
			fail("%s: %+v has the wrong origin", c.ID, got[0])
		}
	}
	if c.Derived != "" {
		judge(c.Derived, func(k extract.Candidate) bool { return string(k.Origin) == c.From })
	}
	for _, p := range passages {
		if !p.Typed() && p.Origin.Rank() > memory.OriginModel.Rank() {
			judge(p.Text, func(k extract.Candidate) bool { return k.Origin.Rank() >= p.Origin.Rank() && k.Turn == 0 })
		}
	}
}

// Sentences says how the built-in extractor does on labelled sentences: "+ KIND | text"
// states something, "- text" does not. found are those of which the kind is right, wrong
// those that should not have been found, or not as that kind.
func Sentences(path string) (found, all, wrong, others int, err error) {
	err = lines(path, func(line []byte) error {
		s := string(line)
		if text, ok := strings.CutPrefix(s, "- "); ok {
			others++
			if len(extract.ReadStatements(text, time.Time{})) > 0 {
				wrong++
			}
		}
		if rest, ok := strings.CutPrefix(s, "+ "); ok {
			all++
			kind, text, _ := strings.Cut(rest, " | ")
			text, _, _ = strings.Cut(text, " => ")
			switch got := extract.ReadStatements(text, time.Time{}); {
			case len(got) == 1 && string(got[0].Kind) == kind:
				found++
			case len(got) > 0:
				wrong++
			}
		}
		return nil
	})
	return found, all, wrong, others, err
}

// Conversations are what the built-in extractor finds in conversations between people, each as
// "kind: text", and how many turns they have.
func Conversations(path string) (found []string, turns int, err error) {
	err = lines(path, func(line []byte) error {
		var l struct{ Text, Date string }
		if err := json.Unmarshal(line, &l); err != nil {
			return err
		}
		turns++
		at, err := time.Parse("2006-01-02T15:04", l.Date)
		if err != nil {
			at = time.Time{}
		}
		for _, s := range extract.ReadStatements(l.Text, at) {
			found = append(found, string(s.Kind)+": "+s.Text)
		}
		return nil
	})
	return found, turns, err
}
