package loop

import (
	"context"

	"ken/internal/agent/loop/changes"
	"ken/internal/fault"
	"ken/internal/session"
	"ken/internal/tool/mcp"
)

// Editor is where the person has files open.
type Editor = changes.Editor

// Servers are tool servers.
type Servers = mcp.Servers

// IsChange reports whether a word has the form of the name of a change of a file.
func IsChange(word string) bool { return changes.IsName(word) }

// NewestChange is the name of the newest change of a file in a conversation that stands; "" if there is none, or nothing acts here.
func (h *Loop) NewestChange(live *session.Writer) string {
	if h.o.MemoryAlone {
		return ""
	}
	return h.files.Newest(live)
}

// TakeBack takes a change of a file back that has a name: see changes.Files.Back.
func (h *Loop) TakeBack(ctx context.Context, live *session.Writer, name string) (done, again string, err error) {
	if h.o.MemoryAlone {
		return "", "", fault.Refusedf("no file is changed here").WithHint("at the terminal: ken undo %s", name)
	}
	return h.files.Back(ctx, live, name)
}
