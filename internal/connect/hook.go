package connect

import (
	"encoding/json"
	"io"
	"path/filepath"
)

// mostEvent is how much of what an assistant says to a hook is read, in bytes.
const mostEvent = 1 << 20

// Event reads what an assistant says to its hook: one value, and not up to the end, which may not come. dir is the
// absolute path of where it works, "" if it does not say; starts is false where no conversation begins, or one goes on
// that has the block already; recall is whether leave to call recall is asked for. It is of no other tool.
func Event(r io.Reader) (dir string, starts, recall bool) {
	var e struct {
		Cwd    string `json:"cwd"`
		Name   string `json:"hook_event_name"` // not said by all
		Source string `json:"source"`
		Tool   string `json:"tool_name"`
	}
	if json.NewDecoder(io.LimitReader(r, mostEvent)).Decode(&e) != nil {
		return "", true, false // the block does no harm
	}
	if filepath.IsAbs(e.Cwd) {
		dir = e.Cwd
	}
	starts = (e.Name == "" || e.Name == "SessionStart") && e.Source != "resume"
	return dir, starts, e.Name == "PreToolUse" && e.Tool == claudeRecall
}

// Leave is what a hook says for recall to be called without asking: a line of JSON.
func Leave() []byte {
	return []byte(text(object{{"hookSpecificOutput", object{{"hookEventName", "PreToolUse"}, {"permissionDecision", "allow"}}}}) + "\n")
}

// Form is a text as the assistant takes it from its hook: a line of JSON.
func (a Agent) Form(said string) []byte {
	form := object{{"hookSpecificOutput", object{{"hookEventName", "SessionStart"}, {"additionalContext", said}}}}
	if a.Name == "copilot" {
		form = object{{"additionalContext", said}}
	}
	return []byte(text(form) + "\n")
}
