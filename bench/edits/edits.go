package edits

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"unicode/utf8"
)

// An Edit is what was meant: in Text, Old is replaced by New, which makes Want of it.
type Edit struct {
	File           string
	Text           string
	Old, New, Want string
}

// A Kind is a way in which models quote.
type Kind struct {
	Name string
	// Refuse says that nothing of the kind may be done: what is quoted stands nowhere.
	Refuse bool
	// Quote quotes an edit so; ok is false if the quote is as good as the text.
	Quote func(r *rand.Rand, e Edit) (text, old, now string, ok bool)
}

// Read returns the texts of programs and papers below fsys, by path, at most most of them.
// Files that are no texts, that are made by programs or long are left out.
func Read(fsys fs.FS, most int) (map[string]string, error) {
	texts := map[string]string{}
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil // what cannot be read is not measured
		case d.IsDir() && name != "." && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		case len(texts) == most:
			return fs.SkipAll
		case !d.Type().IsRegular() || !slices.Contains([]string{".go", ".py", ".ts", ".tsx", ".md"}, path.Ext(name)):
			return nil
		}
		text, err := fs.ReadFile(fsys, name)
		if err != nil || len(text) > 256<<10 || !utf8.Valid(text) || strings.Contains(string(text), "\r") {
			return nil
		}
		if lines := strings.Count(string(text), "\n"); lines >= 20 {
			texts[name] = string(text)
		}
		return nil
	})
	return texts, err
}

// Make makes up n edits in texts, the same at every call with r as it was: two to ten lines
// that stand there once, of which one is changed, taken away or followed by another.
func Make(r *rand.Rand, texts map[string]string, n int) ([]Edit, error) {
	names := make([]string, 0, len(texts))
	for name := range texts {
		names = append(names, name)
	}
	slices.Sort(names)
	r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	var all []Edit
	for tries := 0; len(all) < n; tries++ {
		if len(names) == 0 || tries > 100*n {
			return nil, fmt.Errorf("made %d edits in %d files, want %d", len(all), len(names), n)
		}
		name := names[tries%len(names)]
		if e, ok := makeOne(r, name, texts[name]); ok {
			all = append(all, e)
		}
	}
	return all, nil
}

func makeOne(r *rand.Rand, name, text string) (Edit, bool) {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	size := 2 + r.IntN(9)
	if len(lines) <= size {
		return Edit{}, false
	}
	from := r.IntN(len(lines) - size)
	quoted := slices.Clone(lines[from : from+size])
	old := strings.Join(quoted, "\n")
	if strings.TrimSpace(quoted[0]) == "" || strings.TrimSpace(quoted[size-1]) == "" || strings.Count(text, old) != 1 {
		return Edit{}, false
	}
	at := r.IntN(size)
	switch r.IntN(4) {
	case 0:
		quoted = slices.Delete(quoted, at, at+1)
	case 1:
		lead := quoted[at][:len(quoted[at])-len(strings.TrimLeft(quoted[at], " \t"))]
		quoted = slices.Insert(quoted, at+1, lead+"another_line(of, it)")
	default:
		words := strings.Fields(quoted[at])
		if len(words) == 0 {
			return Edit{}, false
		}
		quoted[at] = strings.Replace(quoted[at], words[r.IntN(len(words))], "changed_word", 1)
	}
	now := strings.Join(quoted, "\n")
	if now == old || strings.TrimSpace(quoted[0]) == "" || strings.TrimSpace(quoted[len(quoted)-1]) == "" {
		return Edit{}, false
	}
	i := strings.Index(text, old)
	return Edit{File: name, Text: text, Old: old, New: now, Want: text[:i] + now + text[i+len(old):]}, true
}
