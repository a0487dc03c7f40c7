package loop

import (
	"fmt"
	"slices"
	"time"

	"ken/internal/llm"
	"ken/internal/session"
	"ken/internal/session/acts"
)

// A Lost is a call, or a command line, of an answer whose result is not in the conversation since ken was killed.
type Lost struct {
	Call string // its id, of a call
	Line string // of a command line
	Text string // what the model is told
	From string // the least trusted origin of Text; "": tool
}

// A Rest is what the last answer of a conversation asked for and has no result, in its order. Nothing of it is
// done again: what was done has the result that the session knows, what had begun is unknown.
type Rest struct {
	Answer int    // the number of its turn; 0: there is none
	Calls  bool   // its calls were to be made: it did not break off, or one of them was
	Lines  bool   // a run began to do its command lines: else the person was asked about them
	Lost   []Lost // of both
}

// RestOf returns that of a conversation.
func RestOf(t *session.Transcript) (r Rest) {
	at, has := -1, make(map[string]bool)
	for i, e := range t.Entries {
		switch {
		case e.Turn == nil || e.Left != "":
		case e.Turn.Role == session.RoleAssistant:
			at, has = i, make(map[string]bool)
		case e.Turn.Role == session.RoleTool:
			has[e.Turn.ToolCallID] = true
		default:
			at = -1 // it was gone on with
		}
	}
	if at < 0 {
		return r
	}
	turn, did, last := t.Entries[at].Turn, make(map[string]acts.Act), time.Time{}
	for _, e := range t.Entries[at:] {
		if e.Event == nil {
			continue
		}
		if a, ok := acts.Of(*e.Event); ok {
			if was, begun := did[a.ID]; begun {
				a = was.After(a)
			}
			did[a.ID], last = a, a.Time
		}
	}
	broke := []string{session.FinishCancelled, session.FinishError, session.FinishTruncated}
	r.Answer, r.Calls = turn.N, len(has) > 0 || !slices.Contains(broke, turn.Finish)
	if calls, err := llm.ParseToolCalls(turn.ToolCalls); err == nil {
		for _, c := range calls {
			if _, is := did[c.ID]; is {
				r.Calls = true
			}
			if !has[c.ID] {
				r.Lost = append(r.Lost, Lost{Call: c.ID, Text: cameOf(did, c.ID, last)})
			}
		}
	}
	for i, line := range Proposed(turn.Content) {
		id := acts.LineID(turn.N, i)
		if _, is := did[id]; is {
			r.Lines = true
		}
		r.Lost = append(r.Lost, Lost{Line: line, Text: cameOf(did, id, last), From: did[id].From})
	}
	return r
}

// cameOf is what the session knows of an act.
func cameOf(did map[string]acts.Act, id string, last time.Time) string {
	a, ok := did[id]
	switch {
	case !ok:
		return "not run: ken was ended before"
	case a.State == acts.Begun:
		return acts.KilledIn(a.Tool, last)
	case a.Text != "":
		return a.Text
	case a.Why != "":
		return a.Why
	case a.Ended:
		return fmt.Sprintf("exit %d; what it printed is lost", a.Exit)
	}
	return "done; its result is lost"
}
