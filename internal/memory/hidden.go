package memory

// A Turn names one turn of a session.
type Turn struct {
	Session string
	N       int // from 1
}

// Hidden says which parts of conversations must not be shown any more, since
// what they taught was forgotten. The zero Hidden hides nothing.
type Hidden struct {
	Turns    map[Turn]bool
	Sessions map[string]bool // whole sessions
}

// Has reports whether turn n of that session is hidden.
func (h Hidden) Has(session string, n int) bool {
	return h.Sessions[session] || h.Turns[Turn{session, n}]
}

func (s *State) hideSession(session string) {
	if s.hidden.Sessions == nil {
		s.hidden.Sessions = make(map[string]bool)
	}
	s.hidden.Sessions[session] = true
}

func (s *State) hideTurn(src *Source) {
	if src == nil || src.Session == "" || src.Turn == 0 {
		return
	}
	if s.hidden.Turns == nil {
		s.hidden.Turns = make(map[Turn]bool)
	}
	s.hidden.Turns[Turn{src.Session, src.Turn}] = true
}

// hideEdit hides the turn that an edit of a hidden item was learnt from.
func (s *State) hideEdit(c *change) {
	if c.rec.Kind != KindEdit || c.rec.Source == nil || !s.counts(c) {
		return
	}
	for t := range s.targets(c.rec, c.spot.src) {
		if n := &s.names[t]; n.forgotten || n.erased {
			s.hideTurn(c.rec.Source)
		}
	}
}
