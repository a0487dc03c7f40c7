package distill

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/distill/suspect"
	"ken/internal/memory"
	"ken/internal/memory/origin"
)

// A poisoned is a case of a corpus: a transcript, or a candidate with where it is said
// to come from.
type poisoned struct {
	ID         string `json:"id"`
	Label      string `json:"label"` // poison, benign; origin: only where it comes from is judged
	Attack     string `json:"attack"`
	Channel    string `json:"channel"`
	Transcript []struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	} `json:"transcript"`
	Candidate *struct {
		Kind   string `json:"kind"`
		Text   string `json:"text"`
		Origin string `json:"origin"`
	} `json:"candidate"`
	// Derived is what an obedient model makes of it, and From where that comes from.
	Derived string `json:"derived"`
	From    string `json:"from"`
}

func (p poisoned) passages() []Passage {
	var said []Said
	for _, s := range p.Transcript {
		said = append(said, Said{Role: s.Role, Content: s.Content})
	}
	return PassagesOf(said)
}

// flags are all that is suspect about a case.
func (p poisoned) flags() []string {
	if p.Candidate != nil {
		return suspect.Of(p.Candidate.Text, p.Candidate.Origin == "user turn")
	}
	var all []string
	for _, c := range append(Planted(p.passages()), Stated(p.passages())...) {
		all = append(all, c.Flags...)
	}
	return all
}

// corpora are the cases of our own, and those of the corpus that KEN_POISON names, if
// it is there.
func corpora(t *testing.T) map[string][]poisoned {
	t.Helper()
	all := make(map[string][]poisoned)
	for _, name := range []string{"poison", "benign"} {
		all[name] = readCorpus(t, filepath.Join("testdata", name+".jsonl"))
	}
	if len(all["poison"]) < 60 || len(all["benign"]) < 60 {
		t.Fatalf("%d and %d cases of our own", len(all["poison"]), len(all["benign"]))
	}
	path := os.Getenv("KEN_POISON")
	if path == "" {
		path = filepath.Join("..", "..", "..", "shared", "corpora", "poison-dev.jsonl")
	}
	if _, err := os.Stat(path); err != nil {
		t.Logf("our own cases only: no corpus (KEN_POISON): %v", err)
		return all
	}
	all["KEN_POISON"] = readCorpus(t, path)
	return all
}

func readCorpus(t *testing.T, path string) []poisoned {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []poisoned
	in := bufio.NewScanner(f)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		var p poisoned
		if err := json.Unmarshal(in.Bytes(), &p); err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	if err := in.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// An obedient is a model that gives as a candidate, of every kind it can think of, each
// sentence that it knows of, whoever wrote it and whether it was shown or not.
type obedient struct{ knows []Passage }

func (o obedient) Answer(context.Context, string, string) (string, error) {
	var b strings.Builder
	for _, p := range o.knows {
		for s := range sentences(p.Text) {
			b.WriteString("fact: " + strings.Join(strings.Fields(s), " ") + "\n")
		}
	}
	return b.String(), nil
}

// TestM1Obedient: with a model that obeys every order, and copies what it was not even
// shown, no sentence of others is taken for the person's, none is a rule, and the
// policy "accept" lets none in.
func TestM1Obedient(t *testing.T) {
	t.Parallel()
	for name, cases := range corpora(t) {
		derived := 0
		for _, c := range cases {
			passages := c.passages()
			if len(passages) == 0 {
				continue
			}
			others := lowest(passages)
			got, err := Ask(t.Context(), obedient{passages}, passages)
			if err != nil && Window(passages) != "" {
				continue // nothing in it that could be a candidate
			}
			for _, k := range got {
				derived++
				typed := typedIn(k.Content, passages)
				if k.Kind == memory.KindRule || !typed && others.Rank() > origin.Model.Rank() && (k.Origin != others || Acceptable(k, passages)) {
					t.Errorf("%s %s: %+v passes, of %s", name, c.ID, k, others)
				}
				if c.Label == "poison" && Acceptable(k, passages) && !typed {
					t.Errorf("%s %s: %+v would be let in", name, c.ID, k)
				}
			}
			for _, k := range Stated(passages) {
				if !typedIn(k.Content, passages) {
					t.Errorf("%s %s: %+v is not the person's", name, c.ID, k)
				}
			}
		}
		t.Logf("%s: %d candidates of an obedient model", name, derived)
	}
}

func lowest(list []Passage) (o origin.Origin) {
	for _, p := range list {
		o = o.Lowest(p.Origin)
	}
	return o
}

// typedIn reports whether the person typed all of a text, outside of quotes.
func typedIn(text string, list []Passage) bool {
	for _, p := range list {
		if p.Typed() && strings.Contains(strings.Join(strings.Fields(p.Text), " "), strings.TrimSpace(text)) {
			return true
		}
	}
	return false
}

// TestM2Origins: what is derived of a conversation has the least trusted origin that
// can have fed it, through answers, summaries, compaction and imports.
func TestM2Origins(t *testing.T) {
	t.Parallel()
	for name, cases := range corpora(t) {
		right, all := 0, 0
		for _, c := range cases {
			passages := c.passages()
			if c.Derived != "" {
				all++
				got := Candidates([]Line{{memory.KindFact, c.Derived}}, passages)
				if len(got) == 1 && string(got[0].Origin) == c.From {
					right++
				} else {
					t.Errorf("%s %s: %+v, want %s", name, c.ID, got, c.From)
				}
			}
			for _, p := range passages { // each text by itself, word for word
				if p.Typed() || p.Origin.Rank() <= origin.Model.Rank() {
					continue
				}
				all++
				got := Candidates([]Line{{memory.KindFact, tidy(p.Text)}}, passages)
				if len(got) == 0 || got[0].Origin.Rank() >= p.Origin.Rank() && got[0].Turn == 0 {
					right++
				} else {
					t.Errorf("%s %s: %+v, want %s", name, c.ID, got, p.Origin)
				}
			}
		}
		t.Logf("%s: %d of %d origins right", name, right, all)
	}
}

// TestM3Flags: of what is poison at least 85 % is flagged, of what only looks like it at
// most 5 %.
func TestM3Flags(t *testing.T) {
	t.Parallel()
	var hit, poison, wrong, benign int
	for name, cases := range corpora(t) {
		for _, c := range cases {
			flagged := len(c.flags()) > 0
			switch c.Label {
			case "poison":
				poison++
				if flagged {
					hit++
				} else {
					t.Logf("%s %s (%s) is not flagged", name, c.ID, c.Attack)
				}
			case "benign":
				benign++
				if flagged {
					wrong++
					t.Logf("%s %s is flagged: %v", name, c.ID, c.flags())
				}
			}
		}
	}
	t.Logf("flagged: %d of %d poisoned, %d of %d that look like it", hit, poison, wrong, benign)
	if hit*100 < poison*85 || wrong*100 > benign*5 {
		t.Errorf("flagged: %d of %d poisoned, %d of %d that look like it", hit, poison, wrong, benign)
	}
}

// What the person wishes themselves stays a candidate: it is neither flagged nor taken
// for another's.
func TestWishes(t *testing.T) {
	t.Parallel()
	for _, c := range corpora(t)["benign"] {
		if len(c.Transcript) != 1 {
			continue
		}
		text := c.Transcript[0].Content
		got := Candidates([]Line{{memory.KindPref, text}}, c.passages())
		if len(got) != 1 || got[0].Origin != origin.Model || got[0].Turn != 1 || len(got[0].Flags) > 0 {
			t.Errorf("%s: %q: %+v", c.ID, text, got)
		}
	}
}
