package chat

import (
	"context"
	"os"

	"ken/internal/memory"
	"ken/internal/scrub"
	"ken/internal/session"
	"ken/internal/text"
)

// notice looks what others have done since the last line: another process, or a
// person with an editor. A memory that changed is chosen from anew; what was erased
// leaves what is live, and what commands printed and was not sent yet.
func (s *REPL) notice(ctx context.Context) {
	was, file := s.state, s.file
	if s.app.Home.Settings.MemoryOn() {
		now, err := s.app.State(ctx)
		if err != nil {
			return // told by whoever needs the memory
		}
		s.state = now
	}
	s.file, _ = os.Stat(s.rec.Path())
	var gone *text.Matcher
	if was != nil && was != s.state {
		s.conv.Refresh()
		gone = erasedSince(was, s.state)
	}
	if replaced := file != nil && s.file != nil && !os.SameFile(file, s.file); replaced || gone.Len() > 0 {
		s.forgetErased(gone)
	}
}

// erasedSince is what was said of items that are erased now.
func erasedSince(was, now *memory.State) *text.Matcher {
	var texts []string
	for _, it := range was.With(memory.StatusActive, memory.StatusWaiting, memory.StatusForgotten, memory.StatusSuperseded) {
		if now.Status(it.ID) == memory.StatusErased {
			texts = append(texts, it.Record.Content)
		}
	}
	return text.NewMatcher(texts...)
}

// forgetErased takes what was erased out of what is live and of what is not saved
// yet. A file that cannot be read has nothing to say, and is told elsewhere.
func (s *REPL) forgetErased(gone *text.Matcher) {
	var turns []session.Turn
	if t, err := session.Load(s.rec.Path()); err == nil {
		turns = t.Turns()
	}
	s.conv.Erase(gone.In, turns)
	if e, ok := s.term.Editor.(*lineEditor); ok {
		e.Drop(gone.In)
	}
	s.rec.Unsaved(func(lines []byte) []byte { return scrub.Lines(lines, scrub.Rule{Holds: gone.InBytes}) })
	s.file, _ = os.Stat(s.rec.Path())
}
