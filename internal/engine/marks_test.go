package engine

import (
	"bytes"
	"context"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ken/internal/memory"
	"ken/internal/memory/filelog"
	"ken/internal/memory/logtest"
)

// A keyed is a memory in a file whose every answer is compared with that of one that reads all
// lines for it.
type keyed struct {
	house
	dir   string
	name  string // of the log
	peers func() []Replica
	e     *Writer
	told  []string
	saved map[string][]byte // files of the cache as they once were
	fast  int               // statements with a key that read nothing
	held  int               // and those that would have relaxed a rule
}

// engineOver is an engine that notes in told what became of the rules.
func (k *keyed) engineOver(log memory.Log, told *[]string) *Writer {
	return New(Options{Own: log, Replicas: k.peers(), Mask: mask, Now: noon, Ruled: func(_ context.Context, r RulesChange) {
		s := fmt.Sprintf("%s %v %v by %s to %s:", r.Difference.Effect, r.Lines, r.Vetoed, r.Actor.Kind, r.Set.Sum())
		for _, c := range r.Difference.Changes {
			s += c.Sign() + c.Rule().Ref()
		}
		*told = append(*told, s)
	}}).As(typed)
}

// open begins a process.
func (k *keyed) open() {
	o := k.options(k.dir)
	o.Sketches = Sketches
	k.e = k.engineOver(filelog.Open(filepath.Join(k.dir, "memory.jsonl"), o), &k.told)
}

// begin makes the log, with one memory in it.
func (k *keyed) begin(rt *rapid.T) {
	k.peers = func() []Replica { return nil }
	k.open()
	if got := answer(k.e.Remember(k.t.Context(), Draft{Content: "the first"})); got != "wrote 1" {
		rt.Fatal(got)
	}
	_, rest, _ := strings.Cut(k.read(k.dir), `"log":"`)
	k.name, _, _ = strings.Cut(rest, `"`)
}

// does has the memory in the file do something, and one that was read from it.
func (k *keyed) does(rt *rapid.T, what string, do func(*Writer) (Receipt, error)) {
	lines, log := k.read(k.dir), logtest.NewMemory(k.name)
	for line := range strings.Lines(lines) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, `{"meta"`) {
			log.Insert(line)
		}
	}
	var told []string
	k.told = nil
	want := answer(do(k.engineOver(log, &told)))
	got := answer(do(k.e))
	if got != want || strings.Join(k.told, "\n") != strings.Join(told, "\n") {
		rt.Fatalf("%s: %s, told %q; want %s, %q; the log:\n%s", what, got, k.told, want, told, lines)
	}
	if strings.HasPrefix(want, "it would relax") {
		k.held++
	}
}

// TestKeyLikeTheState: what takes a key is answered as by who reads all lines, and no rule is
// displaced unseen, whatever was stated, edited, forgotten and undone before, by whichever
// device, and whatever became of the files beside the log: gone, cut, damaged, of an earlier
// moment, of an older version, or edited by hand.
func TestKeyLikeTheState(t *testing.T) {
	t.Parallel()
	base, n, fast, relaxing := t.TempDir(), 0, 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		n++
		k := &keyed{house: house{t}, dir: filepath.Join(base, fmt.Sprint(n)), saved: map[string][]byte{}}
		if err := os.MkdirAll(k.dir, 0o700); err != nil {
			rt.Fatal(err)
		}
		k.begin(rt)
		k.peers = peersOf(rapid.SampledFrom([]string{
			"", "", "", `{"id":1,"kind":"rule","content":"be kind","key":"k"}`, `{"id":1,"content":"tea","key":"l"}`,
			`{"id":1,"kind":"edit","target":"OWN/3","match":["dd","*"],"raise":"caution"}`,
			`{"id":1,"kind":"edit","target":"OWN/2","key":"k"}`,
		}).Draw(rt, "peer"), k.name, rapid.Bool().Draw(rt, "others write to it"))
		k.open()
		for range rapid.IntRange(2, 14).Draw(rt, "steps") {
			k.step(rt)
		}
		fast, relaxing = fast+k.fast, relaxing+k.held
	})
	if fast < n/8 || relaxing < n/10 {
		t.Errorf("in %d rounds %d keys were taken without a look, %d statements would have relaxed a rule: that tries nothing", n, fast, relaxing)
	}
}

// peersOf is a log of another device with a line; none for "".
func peersOf(line, own string, limited bool) func() []Replica {
	return func() []Replica {
		if line == "" {
			return nil
		}
		log := logtest.NewMemory("desk-0001")
		log.Insert(strings.Replace(line, "OWN", own, 1))
		r := Replica{Name: "desk-0001", Log: log}
		if limited {
			r.Ceiling, r.By = memory.OriginImport, "trust:x"
		}
		return []Replica{r}
	}
}

// step is one thing that happens.
func (k *keyed) step(rt *rapid.T) {
	ctx, id := k.t.Context(), memory.Num(rapid.Int64Range(2, 7).Draw(rt, "id"))
	text := rapid.SampledFrom([]string{"never run dd", "ask before git push", "be kind to cats"}).Draw(rt, "text")
	if rapid.Bool().Draw(rt, "new") {
		text = "say " + strings.Join(words(rt, 3), " ")
	}
	key := rapid.SampledFrom([]string{"k", "k", "l"}).Draw(rt, "key")
	switch rapid.IntRange(0, 13).Draw(rt, "step") {
	case 0:
		k.open()
	case 1:
		k.does(rt, "forget", func(w *Writer) (Receipt, error) { return w.Forget(ctx, "", id) })
	case 2:
		k.does(rt, "edit the text", func(w *Writer) (Receipt, error) { return w.Edit(ctx, id, Edit{Content: &text}) })
	case 3:
		k.does(rt, "edit the key", func(w *Writer) (Receipt, error) { return w.Edit(ctx, id, Edit{Key: &key}) })
	case 4:
		k.does(rt, "undo", func(w *Writer) (Receipt, error) {
			r, _, err := w.Undo(ctx)
			return r, err
		})
	case 5:
		hurt(rt, k.dir)
	case 6:
		k.forge(rt)
	case 7:
		k.byHand(rt)
	default:
		d := Draft{Content: text, Near: rapid.Bool().Draw(rt, "near")}
		d.Kind = rapid.SampledFrom([]memory.Kind{
			memory.KindFact, memory.KindPref, memory.KindPref, memory.KindLesson, memory.KindRule,
		}).Draw(rt, "kind")
		d.Scope = rapid.SampledFrom([]memory.Scope{"", "", "repo:a/b"}).Draw(rt, "scope")
		if rapid.IntRange(0, 3).Draw(rt, "with a key") > 0 {
			d.Key = key
		}
		if rapid.Bool().Draw(rt, "cold") {
			k.open()
		}
		cold := k.e.folded == nil
		k.does(rt, fmt.Sprintf("remember %+v", d), func(w *Writer) (Receipt, error) { return w.Remember(ctx, d) })
		if cold && k.e.folded == nil && d.Key != "" {
			k.fast++
		}
	}
}

// forge puts the files of the cache back to what they once were, or makes the head one of an
// older version, or one that was edited and whose checksum is right.
func (k *keyed) forge(rt *rapid.T) {
	files, err := filepath.Glob(filepath.Join(k.dir, "cache", "*"))
	if err != nil {
		rt.Fatal(err)
	}
	how := rapid.IntRange(0, 3).Draw(rt, "forge")
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			rt.Fatal(err)
		}
		switch {
		case how == 0:
			k.saved[file] = b
			continue
		case how == 1 && k.saved[file] != nil && rapid.Bool().Draw(rt, "this one"):
			b = k.saved[file]
		case how > 1 && filepath.Base(file) == "head":
			line, _, _ := strings.Cut(string(b), "\n") // behind it is left of a longer one
			_, said, _ := strings.Cut(line, " ")
			if how == 2 {
				said = strings.Replace(said, `"marked"`, `"sketches"`, 1)
			} else {
				said = regexp.MustCompile(`(marked":\{"n":)(\d)`).ReplaceAllString(said, "${1}1$2")
			}
			b = fmt.Appendf(nil, "%08x %s\n", crc32.ChecksumIEEE([]byte(said)), said)
		}
		if err := os.WriteFile(file, b, 0o600); err != nil {
			rt.Fatal(err)
		}
	}
}

// byHand changes the log as a person does with an editor.
func (k *keyed) byHand(rt *rapid.T) {
	path := filepath.Join(k.dir, "memory.jsonl")
	b, err := os.ReadFile(path)
	if err != nil {
		rt.Fatal(err)
	}
	switch rapid.IntRange(0, 3).Draw(rt, "by hand") {
	case 0:
		b = bytes.Replace(b, []byte(`"key":"l"`), []byte(`"key":"k"`), 1)
	case 1:
		b = bytes.Replace(b, []byte(`"kind":"fact"`), []byte(`"kind":"rule"`), 1)
	case 2:
		b = append(b, `{"content":"as it came","kind":"preference","key":"k"}`+"\n"...)
	default:
		b = append(b, `{"kind":"edit","target":2,"match":["rm","*"],"raise":"danger"}`+"\n"...)
	}
	if err := os.WriteFile(path, b, 0o600); err != nil {
		rt.Fatal(err)
	}
}
