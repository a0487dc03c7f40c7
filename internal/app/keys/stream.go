package keys

import "ken/internal/redact/literals"

// A Stream masks the keys in use, and nothing else, in a text that arrives in pieces:
// what a person looks at as it comes. It holds back only what may become a key.
type Stream struct {
	ring *Ring
	held string
}

// Stream begins a text.
func (k *Ring) Stream() *Stream { return &Stream{ring: k} }

// Write takes the next piece and returns what may be shown.
func (s *Stream) Write(piece string) string {
	text, set := s.held+piece, s.ring.keySet()
	return s.release(set, text, set.Open(text))
}

// Flush ends the text and returns the rest of it.
func (s *Stream) Flush() string { return s.release(s.ring.keySet(), s.held, len(s.held)) }

// release masks text up to the byte open, and holds the rest.
func (s *Stream) release(set *literals.Set, text string, open int) string {
	out, at := "", 0
	set.Find(text, func(_ string, start, end int) {
		if start >= at && start < open {
			out += text[at:start] + s.ring.MaskText(text[start:end])
			at = end
		}
	})
	open = max(at, open)
	s.held = text[open:]
	return out + text[at:open]
}

// MaskKeys returns a text without the keys in use.
func (k *Ring) MaskKeys(text string) string {
	s := k.Stream()
	return s.Write(text) + s.Flush()
}

// keySet is the keys in use, as they are named now.
func (k *Ring) keySet() *literals.Set {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.learn()
	return k.set
}
