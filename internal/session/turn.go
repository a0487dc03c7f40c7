package session

import (
	"encoding/json"
	"time"
)

// A Role says who speaks in a turn. Roles that are not listed here are kept.
type Role string

// The roles.
const (
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
	RoleTool      Role = "tool"
)

// Values of Turn.Finish: how an assistant's turn ended. A reason that a server
// gave and that is not listed here is kept.
const (
	FinishStop      = "stop"       // the model had said all
	FinishLength    = "length"     // a token limit was reached
	FinishToolCalls = "tool_calls" // the model waits for tool results
	FinishCancelled = "cancelled"  // a person stopped it; the content is what had come
	FinishTruncated = "truncated"  // the stream ended without saying why
	FinishError     = "error"      // the call failed
)

// A Turn is one message of a conversation. The zero value of every optional
// field means that the line does not have it.
type Turn struct {
	// N is the turn's number, from 1 to MaxTurn. AppendTurn assigns it.
	N int
	// Time is in UTC, to the second; zero if the line has none.
	Time    time.Time
	Role    Role
	Content string

	Scope      string          // "repo:...", "dir:...": where the person stood, when it changed
	Model      string          // the preset that answered
	Finish     string          // how the answer ended: FinishStop, ...
	Usage      json.RawMessage // token counts as the server sent them
	ToolCalls  json.RawMessage // the assistant's calls as received, an array
	ToolCallID string          // of a tool's turn: the call that it answers
	Attached   json.RawMessage // files that went along with a question, an array: see package trace
	// Raw holds every other field of an assistant's message, to be sent back
	// as received. It is written sorted by name.
	Raw map[string]json.RawMessage
	// From is the least trusted origin of any text in the turn: "tool",
	// "external", ...; empty means the role's own.
	From     string
	Recalled bool   // the content came from memory, and must not be learned again
	Speaker  string // who spoke, in an imported conversation
	// Nudge says that ken wrote a turn of RoleUser by itself, to have the model go on.
	Nudge bool

	// Extra holds the fields that this version does not know, in the order of
	// the line.
	Extra []Field
}

// ByPerson reports whether the person said it: a turn of RoleUser that is no nudge of ken's.
func (t Turn) ByPerson() bool { return t.Role == RoleUser && !t.Nudge }

// MaxTurn is the largest number that a turn may have, 2^31-1: what an int
// holds on every machine.
const MaxTurn = 1<<31 - 1

// MaxLine is the largest line that is written or read, in bytes without line
// end: 16 MiB, some thousand times a long answer. A longer line in a file is
// kept and counts as one that cannot be read.
const MaxLine = 16 << 20

// A Field is a named JSON value of a line.
type Field struct {
	Name  string
	Value json.RawMessage
}

// Given is the further field that holds what an imported turn or session is
// called elsewhere, where that is not N or a string.
const Given = "given"
