package app

import (
	"context"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"ken/internal/index"
	"ken/internal/index/live"
	"ken/internal/memory"
	"ken/internal/recall"
	"ken/internal/text"
)

// Mentions is what says something: all that a wish to have it forgotten can mean.
type Mentions struct {
	Items []Mention // memories that stand, newest first
	Turns []SaidTurn
}

// A Mention is a memory that says it, or said it before an edit.
type Mention struct {
	memory.Item
	Replaced bool   // another one took its place
	Was      string // the earlier text that says it, where that of now does not
}

// A SaidTurn is a turn of a conversation that says it.
type SaidTurn struct {
	memory.Turn
	Role string
	Text string
	At   time.Time
}

// Conversations returns how many conversations the turns are of.
func (m Mentions) Conversations() int {
	seen := make(map[string]bool)
	for _, t := range m.Turns {
		seen[t.Session] = true
	}
	return len(seen)
}

// Beside is m without the turns that are hidden as soon as its memories are forgotten: those that
// taught them, and those that repeat the whole of one.
func (m Mentions) Beside() Mentions {
	taught := make(map[memory.Turn]bool)
	var texts []string
	for _, it := range m.Items {
		if src := it.Record.Source; src != nil {
			taught[memory.Turn{Session: src.Session, N: src.Turn}] = true
		}
		if live.Repeated(it.Record.Content) {
			texts = append(texts, it.Record.Content)
		}
	}
	repeats := text.NewMatcher(texts...)
	m.Turns = slices.DeleteFunc(slices.Clone(m.Turns), func(t SaidTurn) bool { return taught[t.Turn] || repeats.In(t.Text) })
	return m
}

// MentionsOf returns all that says subject, word by word: memories that stand, what
// they replaced and what they said before, and turns. What is forgotten says nothing.
func MentionsOf(ctx context.Context, h *View, subject string) (Mentions, error) {
	var m Mentions
	says := Saying(subject)
	s, err := h.Memory.State(ctx)
	if err != nil {
		return m, err
	}
	was := make(map[memory.ID]string)
	for it, text := range s.Reworded(memory.StatusActive, memory.StatusWaiting, memory.StatusSuperseded) {
		if says(text) {
			was[it.ID] = text
		}
	}
	for _, status := range [...]memory.Status{memory.StatusActive, memory.StatusWaiting, memory.StatusSuperseded} {
		for _, it := range slices.Backward(s.With(status)) {
			mention := Mention{Item: it, Replaced: status == memory.StatusSuperseded}
			if !says(it.Record.Content) && !says(it.Record.Key) {
				if mention.Was = was[it.ID]; mention.Was == "" {
					continue
				}
			}
			m.Items = append(m.Items, mention)
		}
	}
	m.Turns, err = turnsThat(h, s, says)
	return m, err
}

// turnsThat are the turns of which says holds.
func turnsThat(h *View, s *memory.State, says func(string) bool) (list []SaidTurn, err error) {
	all, err := Transcripts(h)
	if err != nil {
		return nil, err
	}
	for _, t := range all {
		hides := Hides(s, t.Header)
		for _, turn := range t.Turns() {
			if turn.N > 0 && says(turn.Content) && !hides(turn) && !t.Header.Copied(turn.N) {
				list = append(list, SaidTurn{memory.Turn{Session: t.Header.Session, N: turn.N}, string(turn.Role), turn.Content, turn.Time})
			}
		}
	}
	return list, nil
}

// Saying returns whether a text says subject: its words, in their order and whatever their
// endings, within the text. A name that is a small word too ("Will") is meant where it is
// written as a name, at the start of a sentence too: what says it is shown, and a person sees
// which of it is about somebody.
func Saying(subject string) func(text string) bool {
	subject = strings.TrimSpace(subject)
	if word := unquoted(subject); Small(word) {
		return func(said string) bool { return named(word) && hasWord(said, word) }
	}
	core := stemmed(subject)
	if strings.ContainsFunc(subject, text.Unspaced) || len(core) == 0 {
		n := text.Normal(subject)
		return func(said string) bool { return n != "" && strings.Contains(text.Normal(said), n) }
	}
	return func(said string) bool {
		has := stemmed(said)
		for i := range has {
			if len(has)-i < len(core) {
				break
			}
			if slices.Equal(has[i:i+len(core)], core) {
				return true
			}
		}
		return false
	}
}

// stemmed are the words of a text in their order.
func stemmed(s string) []string {
	list := text.WordsInOrder(strings.ReplaceAll(strings.ReplaceAll(s, "’", "'"), "'s", " "))
	for i, w := range list {
		list[i] = text.Stem(w)
	}
	return list
}

// Small reports whether a subject is one word that stands in sentences about anything.
func Small(subject string) bool {
	return !strings.ContainsFunc(subject, unicode.IsSpace) && text.Small(text.FoldWord(subject))
}

// SmallName reports whether a subject is a word as Small has it that is written as a name.
func SmallName(subject string) bool {
	word := unquoted(subject)
	return Small(word) && named(word)
}

// unquoted is a subject without the quotes around it.
func unquoted(subject string) string { return strings.Trim(subject, "\"'`“”„‘’‚«»") }

// Ordinary reports whether a subject is one word of the language, so that it is no name by
// itself.
func Ordinary(subject string) bool {
	return Small(subject) || !strings.ContainsFunc(subject, unicode.IsSpace) && recall.IsWord(text.FoldWord(subject))
}

// named reports whether a word is written as a name: Will, IT.
func named(word string) bool {
	r, size := utf8.DecodeRuneInString(word)
	return unicode.IsUpper(r) && strings.ContainsFunc(word[size:], unicode.IsLetter)
}

// hasWord reports whether a text has a word as it is written.
func hasWord(said, word string) bool {
	for from := 0; ; {
		i := strings.Index(said[from:], word)
		if i < 0 {
			return false
		}
		i += from
		end := i + len(word)
		if !text.WithinWord(said, i) && !text.WithinWord(said, end) {
			return true
		}
		from = end
	}
}

// FoundItem is a memory as a search finds it.
func FoundItem(it *memory.Item) Found {
	d := index.Item(it)
	return Found{Hit: hitView(recall.Hit{Document: &d}), At: it.Record.Time}
}
