package shelf

import "time"

// Settling is how long a file must have lain still before its stamp is believed.
const Settling = 25 * time.Millisecond

// Wants reports whether the last questions found something missing that Tend may
// make.
func (s *Shelf) Wants() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.o.Dir != "" && (s.memoryOld || len(s.tail) > 0)
}
