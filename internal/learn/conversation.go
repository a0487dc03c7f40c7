package learn

import (
	"context"
	"slices"
	"strings"

	"ken/internal/app"
	"ken/internal/engine"
	"ken/internal/fault"
	"ken/internal/learn/extract"
	"ken/internal/memory"
	"ken/internal/session"
	"ken/internal/text"
	"ken/internal/trace"
	"ken/internal/view"
	"ken/internal/working"
)

// A Conversation is one as it is read.
type Conversation struct {
	header   session.Header
	last     int              // the largest number of a turn
	ran      map[int][]string // command lines that ran before a turn of the person, since the one before
	Passages []extract.Passage
}

// source is where a candidate was said.
func (t Conversation) source(turn int) *memory.Source {
	return &memory.Source{Session: t.header.Session, Turn: turn, Channel: string(t.header.Channel)}
}

// Typed reports whether there is anything of the person to read.
func (t Conversation) Typed() bool {
	for _, p := range t.Passages {
		if p.Typed() && !p.Hidden {
			return true
		}
	}
	return false
}

// ReadConversation reads the conversation at path. What its turns taught and was forgotten is left out, and
// so are the turns up to after, but for where they come from.
func ReadConversation(ctx context.Context, h *app.View, path string, after int) (Conversation, error) {
	t, err := h.Conversations.Dir().Load(path)
	if err != nil {
		return Conversation{}, err
	}
	return conversationOf(ctx, h, t, after)
}

// conversationOf is ReadConversation of one that was loaded.
func conversationOf(ctx context.Context, h *app.View, t *session.Transcript, after int) (Conversation, error) {
	r := extract.Reading{After: after}
	m, err := h.Moment().Memory(ctx)
	if err != nil {
		return Conversation{}, err
	}
	r.Gone = m.Forgotten.Of(t.Header)
	s, err := h.Memory.State(ctx)
	if err != nil {
		return Conversation{}, err
	}
	origins := make(map[string]memory.Origin)
	for _, it := range s.Items() {
		origins[it.Ref()] = it.Origin
	}
	summed := fromWorking(h)
	r.Given = func(n int) (least memory.Origin) {
		least = summed
		if given, ok := trace.In(t, n); ok && given.N == n {
			if given.Context.Sums() || len(given.Docs) > 0 {
				least = least.Lowest(memory.OriginExternal) // the files may be gone by now
			}
			for _, ref := range given.Refs() {
				o, known := origins[ref]
				if !known {
					continue // forgotten since; what it taught is left out
				}
				least = least.Lowest(o)
			}
		}
		return least
	}
	return Conversation{t.Header, t.Last(), ranBefore(t), extract.Passages(t, r)}, nil
}

// ranBefore are the command lines of a conversation, by the turn of the person before which they ran.
func ranBefore(t *session.Transcript) map[int][]string {
	ran := make(map[int][]string)
	var lines []string
	for _, e := range t.Entries {
		switch {
		case e.Turn != nil && e.Turn.Role == session.RoleUser:
			if lines != nil {
				ran[e.Turn.N] = lines
			}
			lines = nil
		case e.Event != nil && e.Event.Name == session.EventExec:
			lines = append(lines, e.Event.Text("cmd"))
		}
	}
	return ran
}

// fromWorking is the origin of what a working memory may have shown the model: it sums
// up texts of anybody, and nobody has approved it. A trace says whether it was there; an
// answer without one may have had it all the same. User if there is none.
func fromWorking(h *app.View) memory.Origin {
	cfg, err := h.Settings.Read()
	if err != nil || cfg.Memory.UserNamespace == "" {
		return memory.OriginUser
	}
	if _, err := (working.File{Path: h.Settings.Paths().Working(), Now: h.Now}).Read(); err == nil || working.Exists(err) {
		return memory.OriginExternal
	}
	return memory.OriginUser
}

// Fresh returns the candidates of the conversation that neither the memory nor the queue knows,
// nor are what the very line that they rest on had kept: "from now on keep it short" says no
// more than "keep it short", which is remembered of it. waits are what they say again of the queue.
func (t Conversation) Fresh(
	ctx context.Context, h *app.View, list []extract.Candidate,
) (fresh []extract.Candidate, waits []engine.Waiting, err error) {
	s, err := h.Memory.State(ctx)
	if err != nil {
		return nil, nil, err
	}
	var known []string
	taught := make(map[int][]string) // by turn of this conversation
	for _, it := range s.Items() {
		known = append(known, it.Record.Content)
		if at := it.Record.Source; at != nil && at.Session == t.header.Session && at.Turn > 0 {
			taught[at.Turn] = append(taught[at.Turn], text.Normal(it.Record.Content))
		}
	}
	list = slices.DeleteFunc(slices.Clone(list), func(c extract.Candidate) bool {
		says := text.Normal(c.Content)
		return slices.ContainsFunc(taught[c.Turn], func(kept string) bool {
			return strings.Contains(says, kept) || strings.Contains(kept, says)
		})
	})
	q, err := readQueue(ctx, h)
	if err != nil {
		return nil, nil, err
	}
	for _, w := range q.refused {
		known = append(known, w.Proposal.Record.Content)
	}
	list = extract.Fresh(list, known)
	for _, w := range q.pending {
		if left := extract.Fresh(list, []string{w.Proposal.Record.Content}); len(left) < len(list) {
			list, waits = left, append(waits, w)
		}
	}
	return list, waits, nil
}

// record is what a candidate would be as a line of the memory.
func (t Conversation) record(who engine.Actor, c extract.Candidate) memory.Record {
	return memory.Record{
		Kind: c.Kind, Content: c.Content, Scope: scopeOf(c), Source: t.source(c.Turn), Tags: app.ShellTags(c.Kind, c.Content, t.ran[c.Turn]),
		Origin: c.Origin.Lowest(who.Origin()),
	}
}

// scopeOf is where a candidate would hold: what is about the work on a repository there,
// what is about the person everywhere.
func scopeOf(c extract.Candidate) memory.Scope {
	if c.Kind.OfWork() && strings.HasPrefix(string(c.Scope), "repo:") {
		return c.Scope
	}
	return memory.ScopeUser
}

// Suggestions are candidates as they are proposed by who.
func (t Conversation) Suggestions(who engine.Actor, list []extract.Candidate) []engine.Suggestion {
	out := make([]engine.Suggestion, len(list))
	for i, c := range list {
		why := "said in a conversation"
		if c.Turn == 0 {
			why = "found in a conversation; no turn of yours says it"
		}
		if len(c.Flags) > 0 {
			why += "; look twice: " + strings.Join(c.Flags, ", ")
		}
		out[i] = engine.Suggestion{Record: t.record(who, c), Why: why}
	}
	return out
}

// Propose suggests candidates, and gives how many are new.
func (t Conversation) Propose(ctx context.Context, h *app.View, list []extract.Candidate) (int, error) {
	got, err := propose(ctx, h, func(who engine.Actor) []engine.Suggestion { return t.Suggestions(who, list) })
	n := 0
	for _, p := range got {
		if p.New {
			n++
		}
	}
	return n, err
}

// Waiting returns the number of candidates that wait, and how to answer them.
func Waiting(n int) fault.Text {
	if n == 1 {
		return fault.Textf("memory: 1 candidate waits (%s)", fault.Command("review"))
	}
	return fault.Textf("memory: %s wait (%s)", view.Count(n, "candidate"), fault.Command("review"))
}
