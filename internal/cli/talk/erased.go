package talk

import (
	"os"

	"ken/internal/session"
	"ken/internal/session/scrub"
	"ken/internal/wording"
)

// noticeErased looks whether somebody replaced the file of this conversation, as
// erasing does, and takes out of what is live what is gone there.
func (s *Shell) noticeErased() {
	now, err := os.Stat(s.rec.Path())
	if err != nil {
		return // there is none yet
	}
	was := s.file
	if s.file = now; was != nil && !os.SameFile(was, now) {
		s.forgetErased(nil)
	}
}

// forgetErased takes what was erased out of what is live and of what is not saved
// yet. A file that cannot be read has nothing to say, and is told elsewhere.
func (s *Shell) forgetErased(gone *wording.Set) {
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
