package trace

import (
	"encoding/json"
	"time"

	"ken/internal/jsonl"
)

// The states of a working memory.
const (
	Sent    = "sent"
	Expired = "expired"
	None    = "none"
	Unread  = "unread" // there is a file that says nothing: it is no working memory, or cannot be read
)

// A Context says what of the person stood in the request beside the memories: not what
// it says, but that it did. The zero Context: a session context was not wanted.
type Context struct {
	Profile bool      // profile.md was sent
	Working string    // Sent, Expired, None or Unread; "" in the zero Context
	Updated time.Time // when a working memory that was sent was written, to the second
	Expires time.Time // when one that was sent or has expired does, to the second
}

func (c Context) json() json.RawMessage {
	b := jsonl.AppendString(jsonl.AppendName([]byte{'{'}, "working"), c.Working)
	if c.Profile {
		b = append(jsonl.AppendName(b, "profile"), "true"...)
	}
	for _, f := range [...]struct {
		name string
		at   time.Time
	}{{"updated", c.Updated}, {"expires", c.Expires}} {
		if !f.at.IsZero() {
			b = jsonl.AppendString(jsonl.AppendName(b, f.name), f.at.UTC().Format(time.RFC3339))
		}
	}
	return append(b, '}')
}

func readContext(v jsonl.Value) (c Context) {
	f := fieldsOf(v)
	switch c.Working, _ = f["working"].Text(); c.Working {
	case Sent, Expired, None, Unread:
	default:
		return Context{}
	}
	c.Profile = string(f["profile"]) == "true"
	c.Updated, c.Expires = at(f["updated"]), at(f["expires"])
	return c
}

// at is a time; the zero one if it is none.
func at(v jsonl.Value) time.Time {
	s, _ := v.Text()
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return time.Time{}
	}
	return t.UTC()
}
