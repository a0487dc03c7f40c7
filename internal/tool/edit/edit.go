package edit

import (
	"strings"
)

// A Want is what is to be replaced.
type Want struct {
	Old string // the text as it stands now
	New string // what comes in its place; "" takes it away
	All bool   // wherever it stands, not once
}

// A How says how a quoted text was found.
type How uint8

// The ways, from the strictest.
const (
	Exact     How = iota // as it stands
	WholeLine            // as it stands, whole lines, and the break behind the last one kept
	Trailing             // but for space at the ends of lines and blank lines around it
	Numbered             // with its line numbers taken off
	Indented             // but for its indentation
	Plain                // with plain quotes, dashes and spaces
	Escaped              // with \n, \t and \" read
)

// String says it as a part of an answer: "without its indentation".
func (h How) String() string {
	return [...]string{
		"as it stands", "with the line break behind it kept", "without space at the ends of its lines", "without its line numbers",
		"without its indentation", "with plain quotes, dashes and spaces", `with its \n, \t and \" read`,
	}[h]
}

// A Result is a text in which something was replaced.
type Result struct {
	Text           string // all of it
	Places         int    // how many were replaced
	How            How
	Now            string // the lines that stand at the first place now; "" if they were taken away
	Added, Removed int    // lines of the difference
}

// Replace replaces what w quotes in text. The error is a *Refusal, and then nothing is
// replaced.
func Replace(text string, w Want) (Result, error) {
	b := newBody(text)
	w.Old, w.New = plainEnds(w.Old), plainEnds(w.New)
	switch {
	case w.Old == "":
		return Result{}, &Refusal{Why: Empty}
	case w.Old == w.New:
		return Result{}, &Refusal{Why: NoChange}
	}
	for _, rung := range []func(*body, Want) (found, error){exactly, byLines, unescaped} {
		f, err := rung(b, w)
		if err != nil {
			return Result{}, err
		}
		if len(f.cuts) > 0 {
			return b.result(f)
		}
	}
	return Result{}, b.notFound(w.Old)
}

// found is what a rung would do: cuts in order, without overlap; none if it did not find it.
type found struct {
	cuts   []cut
	places int
	how    How
	at, n  int // the first place, and how long what stands there then is, in the new LF text
}

// A cut is a piece of the LF text and what comes in its place.
type cut struct {
	from, to int
	text     string
}

func (b *body) result(f found) (Result, error) {
	now := b.with(f.cuts)
	if now == b.raw {
		return Result{}, &Refusal{Why: NoChange}
	}
	r := Result{Text: now, Places: f.places, How: f.how}
	lf := plainEnds(strings.TrimPrefix(now, mark))
	r.Now = linesAround(lf, f.at, f.at+f.n)
	r.Added, r.Removed = Count(Diff("", b.raw, now))
	return r, nil
}

// exactly is rung 1.
func exactly(b *body, w Want) (found, error) {
	places := occurrences(b.lf, w.Old)
	switch {
	case len(places) == 0:
		return found{}, nil
	case len(places) > 1 && !w.All:
		return found{}, b.ambiguous(places, strings.Count(b.lf, w.Old))
	}
	f := found{at: places[0]}
	for at, end := places[0], 0; ; at = end {
		i := strings.Index(b.lf[at:], w.Old)
		if i < 0 {
			return f, nil
		}
		at += i
		end = at + len(w.Old)
		text := w.New
		if text != "" && strings.HasSuffix(w.Old, "\n") && !strings.HasSuffix(text, "\n") && (at == 0 || b.lf[at-1] == '\n') {
			text += "\n" // whole lines stay whole lines
			f.how = WholeLine
		}
		if f.places == 0 {
			f.n = len(text)
		}
		f.places++
		f.cuts = append(f.cuts, trimmed(cut{at, end, text}, w.Old))
	}
}

// trimmed is c without what old, the text that it cuts, and the new text have alike at
// their ends: bytes that do not change are not written anew.
func trimmed(c cut, old string) cut {
	text := c.text
	for len(old) > 0 && len(text) > 0 && old[0] == text[0] {
		old, text = old[1:], text[1:]
		c.from++
	}
	for len(old) > 0 && len(text) > 0 && old[len(old)-1] == text[len(text)-1] {
		old, text = old[:len(old)-1], text[:len(text)-1]
		c.to--
	}
	c.text = text
	return c
}

// occurrences are the first offsets of old in text, those that overlap as well.
func occurrences(text, old string) (at []int) {
	for from := 0; len(at) < mostPlaces; {
		i := strings.Index(text[from:], old)
		if i < 0 {
			break
		}
		at = append(at, from+i)
		from += i + 1
	}
	return at
}
