package home

import "ken/internal/redact/known"

// A KeyStream masks the keys in use, and nothing else, in a text that arrives in pieces:
// what a person looks at as it comes. It holds back only what may become a key.
type KeyStream struct {
	app  *Home
	held string
}

// KeyStream begins a text.
func (a *Home) KeyStream() *KeyStream { return &KeyStream{app: a} }

// Write takes the next piece and returns what may be shown.
func (s *KeyStream) Write(piece string) string {
	text, set := s.held+piece, s.app.keySet()
	return s.release(set, text, set.Open(text))
}

// Flush ends the text and returns the rest of it.
func (s *KeyStream) Flush() string { return s.release(s.app.keySet(), s.held, len(s.held)) }

// release masks text up to the byte open, and holds the rest.
func (s *KeyStream) release(set *known.Set, text string, open int) string {
	out, at := "", 0
	set.Find(text, func(_ string, start, end int) {
		if start >= at && start < open {
			out += text[at:start] + s.app.MaskText(text[start:end])
			at = end
		}
	})
	open = max(at, open)
	s.held = text[open:]
	return out + text[at:open]
}

// MaskKeys is a text without the keys in use.
func (a *Home) MaskKeys(text string) string {
	s := a.KeyStream()
	return s.Write(text) + s.Flush()
}

// keySet is the keys in use, as they are named now.
func (a *Home) keySet() *known.Set {
	a.ring.note(nil, "")
	a.ring.mu.Lock()
	defer a.ring.mu.Unlock()
	a.ring.learn(a.o.Getenv)
	return a.ring.set
}
