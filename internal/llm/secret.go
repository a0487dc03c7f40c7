package llm

import (
	"fmt"
	"io"
	"strings"
)

// A Secret holds a key and does not print it: not with any verb of fmt, not as
// JSON or text, not inside another value. The zero Secret is no key.
type Secret struct {
	// A pointer, since fmt prints the fields of unexported fields without asking
	// their methods: of a pointer it prints the address.
	text *string
	open bool // it may go over plain http to another machine
}

// NewSecret wraps a key. White space around it is dropped, as the line end of a
// file is; nothing gives the zero Secret.
func NewSecret(text string) Secret {
	if text = strings.TrimSpace(text); text == "" {
		return Secret{}
	}
	return Secret{text: &text}
}

// Reveal returns the key.
func (s Secret) Reveal() string {
	if s.text == nil {
		return ""
	}
	return *s.text
}

// Open returns a secret that may go to another machine over plain http, where who listens
// on the way reads it: the person said so.
func (s Secret) Open() Secret {
	s.open = true
	return s
}

// IsZero reports whether there is no key.
func (s Secret) IsZero() bool { return s.text == nil }

// Equal reports whether s and t hold the same key.
func (s Secret) Equal(t Secret) bool { return s.Reveal() == t.Reveal() }

func (s Secret) String() string {
	if s.IsZero() {
		return ""
	}
	return "[secret]"
}

// GoString is String, for %#v.
func (s Secret) GoString() string { return s.String() }

// Format prints String, whatever the verb.
func (s Secret) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, s.String()) }

// MarshalText gives String. encoding/json and log/slog use it too.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }
