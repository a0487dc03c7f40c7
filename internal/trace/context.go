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
	Unseen  = "unseen" // the person had not seen an account for which text from outside was read
	Unread  = "unread" // there is a file that says nothing: it is no working memory, or cannot be read
)

// A Context says what of the person stood in the request beside the memories: not what
// it says, but that it did. The zero Context: a session context was not wanted.
type Context struct {
	Profile bool      // profile.md was sent
	Working string    // Sent, Expired, None or Unread; "" in the zero Context
	Account string    // of a model: Sent, or Unseen; "" if there was none
	Written time.Time // when that was written, to the second
	Outside bool      // text of neither the person nor a model was read for what was sent of it
	Updated time.Time // when a working memory that was sent was written, to the second
	Expires time.Time // when one that was sent or has expired does, to the second
}

// Sums reports whether a working memory or an account was sent, which sum up texts of anybody.
func (c Context) Sums() bool { return c.Working == Sent || c.Account == Sent }

func (c Context) json() json.RawMessage {
	b := jsonl.AppendString(jsonl.AppendName([]byte{'{'}, "working"), c.Working)
	if c.Profile {
		b = append(jsonl.AppendName(b, "profile"), "true"...)
	}
	if c.Account != "" {
		b = jsonl.AppendString(jsonl.AppendName(b, "account"), c.Account)
	}
	if c.Outside {
		b = append(jsonl.AppendName(b, "outside"), "true"...)
	}
	for _, f := range [...]struct {
		name string
		at   time.Time
	}{{"updated", c.Updated}, {"expires", c.Expires}, {"written", c.Written}} {
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
	c.Outside = string(f["outside"]) == "true"
	if c.Account, _ = f["account"].Text(); c.Account != Sent && c.Account != Unseen {
		c.Account = ""
	}
	c.Updated, c.Expires, c.Written = at(f["updated"]), at(f["expires"]), at(f["written"])
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
