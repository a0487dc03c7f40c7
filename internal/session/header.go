package session

import "time"

// A Channel is the face through which a session was held. Channels that are
// not listed here are kept.
type Channel string

// The channels.
const (
	ChannelTerminal Channel = "terminal"
	ChannelAsk      Channel = "ask"
	ChannelMCP      Channel = "mcp"
	ChannelHTTP     Channel = "http"
	ChannelWeb      Channel = "web"
	ChannelTelegram Channel = "telegram"
	ChannelImport   Channel = "import"
)

// Format is the version of the line format that this package writes.
const Format = 1

// A Header is the first line of a session file. The zero value of a field
// means that the line does not have it.
type Header struct {
	Format     int       // the format of the file; set by the writer
	Session    string    // the session's id; set by the writer
	Started    time.Time // in UTC, to the second; set by the writer
	Model      string    // the preset at the start
	KenVersion string
	Channel    Channel
	Scope      string // where the person stood at the start
	Agent      string // another assistant that was given memories, where that is what the session notes
	// CopiedFrom is the id of the session whose copy this is, CopiedTo the
	// largest turn number that was copied (0: all there is).
	CopiedFrom string
	CopiedTo   int
	// Extra holds the fields that this version does not know, in the order of
	// the line.
	Extra []Field
}

// Copied reports whether turn n was copied from another session, so that a
// search over both finds it once.
func (h Header) Copied(n int) bool {
	return h.CopiedFrom != "" && (h.CopiedTo == 0 || n <= h.CopiedTo)
}
