package memory

// OwnLog returns the name of the own log; "" if it has none yet.
func (s *State) OwnLog() string {
	for i := range s.logs {
		if s.logs[i].Own {
			return s.logs[i].Log
		}
	}
	return ""
}

// Line returns the line that has the id, stating or changing; of several, the
// last one. It is false if no line that can be read has it. An erased line is
// found as what the erasing left of it.
func (s *State) Line(id ID) (Change, bool) {
	want := s.lookup(id)
	if want < 0 {
		return Change{}, false
	}
	for src := len(s.logs) - 1; src >= 0; src-- {
		for pos := len(s.logs[src].Entries) - 1; pos >= 0; pos-- {
			at := spot{int32(src), int32(pos)}
			if s.lineName(at) == want {
				return s.changeAt(at), true
			}
		}
	}
	return Change{}, false
}
