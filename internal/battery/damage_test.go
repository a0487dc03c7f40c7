package battery

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ken/internal/memory"
	"ken/internal/review"
	"ken/internal/session"
)

// A Kept is one kind of file, as a reader and a writer see it: texts, one a line.
type Kept struct {
	Name string
	// Fill writes n texts and returns the path of the file.
	Fill func(h *Home, n int) (path string, err error)
	// Texts are the texts that can be read, and the lines that are reported.
	Texts func(h *Home, path string) (texts []string, told []int, err error)
	// Add appends a text.
	Add func(h *Home, path, text string) error
}

// Files are the kinds of files of lines.
func Files() []Kept {
	return []Kept{
		{"Memory", fillMemory, memoryTexts, func(h *Home, _, text string) error {
			return stated(context.Background(), h, NewLedger(), h.Engine(), text)
		}},
		{"Session", fillSession, sessionTexts, func(h *Home, path, text string) error {
			w, _, err := h.Sessions(true).Open(path)
			if err != nil {
				return err
			}
			_, err = w.AppendTurn(session.Turn{Role: session.RoleUser, Content: text})
			return errors.Join(err, w.Close())
		}},
		{"Review", fillReview, reviewTexts, func(h *Home, _, text string) error { return ask(h, text) }},
	}
}

// sample is the text with that number: 300 bytes, so that 200 make 64 KiB.
func sample(n int) string {
	rng := rand.New(rand.NewPCG(uint64(n), 1))
	words := []string{"prefers", "ünïcode", "日本語", "a\nline", `"quoted"`, "repo", "never", "🙂", "tab\t", "back\\slash"}
	var b strings.Builder
	fmt.Fprintf(&b, "text %d", n)
	for range 18 {
		b.WriteString(" " + words[rng.IntN(len(words))])
	}
	return b.String()
}

func fillMemory(h *Home, n int) (string, error) {
	for i := range n {
		_, err := h.Log().Append(context.Background(), "", func([]memory.Entry) ([]memory.Record, error) {
			return []memory.Record{{ID: memory.Num(int64(i + 1)), Kind: memory.KindFact, Content: sample(i), Time: h.Now()}}, nil
		})
		if err != nil {
			return "", err
		}
	}
	return h.Memory(), nil
}

func memoryTexts(h *Home, _ string) (texts []string, told []int, err error) {
	s, err := h.Engine().State(context.Background())
	if err != nil {
		return nil, nil, err
	}
	for _, p := range s.Problems() {
		told = append(told, p.Line)
	}
	return contents(s.Items()), told, nil
}

func fillSession(h *Home, n int) (string, error) {
	w, err := h.Sessions(true).Create(session.Header{Channel: session.ChannelTerminal})
	if err != nil {
		return "", err
	}
	for i := range n {
		_, aerr := w.AppendTurn(session.Turn{Role: session.RoleUser, Content: sample(i)})
		err = errors.Join(err, aerr)
	}
	return w.Path(), errors.Join(err, w.Close())
}

func sessionTexts(_ *Home, path string) (texts []string, told []int, err error) {
	t, err := session.Load(path)
	if err != nil {
		return nil, nil, err
	}
	for _, turn := range t.Turns() {
		texts = append(texts, turn.Content)
	}
	for _, p := range t.Problems {
		told = append(told, p.Line)
	}
	return texts, told, nil
}

func ask(h *Home, text string) error {
	return h.queue().Append(context.Background(), func(*review.Queue) (review.Draft, error) {
		rec := memory.Record{Kind: memory.KindFact, Content: text, Origin: memory.OriginModel}
		return review.Draft{Proposals: []*review.Proposal{{Of: review.OfMemory, Record: rec}}}, nil
	})
}

func fillReview(h *Home, n int) (string, error) {
	for i := range n {
		if err := ask(h, sample(i)); err != nil {
			return "", err
		}
	}
	return h.Review(), nil
}

func reviewTexts(h *Home, _ string) (texts []string, told []int, err error) {
	b, err := h.queue().Read()
	if err != nil {
		return nil, nil, err
	}
	for _, p := range b.All() {
		texts = append(texts, p.Record.Content)
	}
	for _, p := range b.Problems() {
		told = append(told, p.Line)
	}
	return texts, told, nil
}

// A Damage does something to every Step-th byte of a file.
type Damage struct {
	File Kept
	Bug  Bug
	Step int
	Size int // texts in the file
	Temp func() string
}

// Cut cuts the file there and below, reads it, adds to it and reads it again.
func (d Damage) Cut() (Report, error) {
	return d.each(true, func(text []byte, n int) (broken []byte, keep int) { return text[:n], n })
}

// Flip turns one bit over at each byte.
func (d Damage) Flip() (Report, error) {
	rng := rand.New(rand.NewPCG(5, 6))
	return d.each(false, func(text []byte, n int) ([]byte, int) {
		broken := slices.Clone(text)
		broken[n] ^= 1 << rng.IntN(8)
		return broken, -1
	})
}

// headBytes are harmed one by one whatever the step: there the file says what it is.
const headBytes = 80

func (d Damage) each(cut bool, harm func(text []byte, n int) ([]byte, int)) (Report, error) {
	var r Report
	h := NewHome(d.Temp())
	h.Bug = d.Bug
	path, err := d.File.Fill(h, d.Size)
	if err != nil {
		return r, err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return r, err
	}
	h.FS = h.bugged(h.FS)
	for n := len(text) - 1; n >= 0; n-- {
		if n%max(1, d.Step) != 0 && n >= headBytes {
			continue
		}
		broken, _ := harm(text, n)
		if err := os.WriteFile(path, broken, 0o600); err != nil {
			return r, err
		}
		r.Add(d.one(h, path, text, broken, n, cut), "%s, byte %d", d.File.Name, n)
	}
	return r, nil
}

// one looks at one damaged file. The texts of the line with byte n, and of the
// next if n ends a line, may be lost; all others must be there.
func (d Damage) one(h *Home, path string, text, broken []byte, n int, cut bool) error {
	first := strings.Count(string(text[:n]), "\n") // of the header or the first text
	last := first
	if text[n] == '\n' && !cut {
		last++
	}
	var want []string
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	headed := len(lines) - d.Size
	for i := headed; i < len(lines); i++ {
		if i < first || i > last && !cut || cut && i == first && text[n] == '\n' {
			want = append(want, sample(i-headed))
		}
	}
	look := func(more ...string) error {
		texts, told, err := d.File.Texts(h, path)
		if err != nil {
			return err
		}
		for _, text := range append(want, more...) {
			if !slices.Contains(texts, text) && (cut || len(told) == 0) {
				return fmt.Errorf("%w: %.20q", ErrLost, text)
			}
		}
		if len(texts) > len(want)+len(more)+2 || cut && len(texts) > len(want)+len(more) {
			return fmt.Errorf("%d texts are there, want %d", len(texts), len(want)+len(more))
		}
		f := &Found{problems: map[string][]int{path: told}}
		if h.Bug.Read != nil {
			h.Bug.Read(f)
		}
		return f.tells(path)
	}
	if err := look(); err != nil {
		return err
	}
	added := []string{"added"}
	if err := d.File.Add(h, path, "added"); err != nil {
		// A header that names another device's log is not written behind.
		if first > 0 || cut || !errors.Is(err, memory.ErrForeign) {
			return fmt.Errorf("add: %w", err)
		}
		added = nil
	}
	if err := look(added...); err != nil {
		return fmt.Errorf("afterwards: %w", err)
	}
	now, err := os.ReadFile(path)
	if err == nil && !strings.HasPrefix(string(now), string(broken)) {
		err = fmt.Errorf("%w: bytes of %s changed", ErrLost, filepath.Base(path))
	}
	return err
}
