package learn

import (
	"context"
	"slices"
	"strings"

	"ken/internal/app"
	"ken/internal/index"
	"ken/internal/memory"
	"ken/internal/rules"
	"ken/internal/session"
	"ken/internal/session/acts"
)

// MostCommands is how many of the newest recorded commands rules are held against.
const MostCommands = 200

// mostFiles is how many conversations are looked through for them, the newest.
const mostFiles = 400

// Commands returns the newest commands that ran in conversations, the person's and those
// that a model asked for, at most so many, the newest first. What was forgotten, erased or
// copied is not among them, nor what runs ken. Errors are those of the memory; a
// conversation that cannot be read is passed over.
func Commands(ctx context.Context, h *app.View, most int) ([]rules.Command, error) {
	s, err := h.Memory.State(ctx)
	if err != nil {
		return nil, err
	}
	hidden, dir := s.HiddenTurns(), h.Conversations.Dir()
	var list []rules.Command
	files := 0
	for path, header := range dir.Newest() {
		if files++; len(list) >= most || files > mostFiles || ctx.Err() != nil {
			break
		}
		if hidden.Sessions[header.Session] {
			continue
		}
		t, err := dir.Load(path)
		if err != nil {
			continue
		}
		list = append(list, commandsOf(t)...)
	}
	return list[:min(len(list), most)], ctx.Err()
}

// commandsOf are the commands of a conversation, the newest first.
func commandsOf(t *session.Transcript) []rules.Command {
	var list []rules.Command
	scope := t.Header.Scope
	at := make(map[string]int) // by act: its place in list
	for _, e := range t.Entries {
		if e.Turn != nil {
			if e.Turn.Scope != "" {
				scope = e.Turn.Scope
			}
			continue
		}
		line, failed := "", false
		if a, ok := acts.Of(*e.Event); ok {
			if a.State == acts.Done {
				if i, ok := at[a.ID]; ok {
					list[i].Failed = a.Outcome == "failed" || a.Ended && a.Exit != 0
				}
				continue
			}
			if a.State == acts.Begun {
				line, _ = strings.CutPrefix(a.What, "$ ")
				if line == a.What {
					continue
				}
				at[a.ID] = len(list)
			}
		} else if e.Event.Name == session.EventExec {
			line, failed = e.Event.Text("cmd"), e.Event.Int("exit") != 0
		}
		copied := t.Header.CopiedFrom != "" && e.Event.Time.Before(t.Header.Started)
		if line = strings.TrimSpace(line); line == "" || line == session.Gone || copied || index.RunsKen(line) {
			continue
		}
		list = append(list, rules.Command{
			Line: line, Scope: memory.Scope(scope), At: e.Event.Time, Session: t.Header.Session, Failed: failed,
		})
	}
	slices.Reverse(list)
	return list
}
