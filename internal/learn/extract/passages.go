package extract

import (
	"strings"
	"time"

	"ken/internal/frame"
	"ken/internal/memory"
	"ken/internal/session"
	"ken/internal/text"
)

// A Passage is a text of a conversation, or a part of one, that comes from one place.
type Passage struct {
	N    int       // number of the turn; 0 if it has none
	Time time.Time // of the turn; zero if it is not known
	// Scope is where the person stood ("repo:..."); "" if it is not known.
	Scope string
	Text  string
	// Origin is the least trusted of all that can have fed the text. It is user only
	// for what the person typed themselves, outside quotes and pasted blocks.
	Origin memory.Origin
	// Answer says that the assistant wrote it.
	Answer bool
	// Hidden says that the text is here for its origin alone, and is shown to no
	// model: tools and documents wrote it, or it came from memory.
	Hidden bool
}

// Typed reports whether the person typed it.
func (p Passage) Typed() bool { return p.Origin.Rank() == 0 && !p.Answer }

// Reading says what is known of a conversation beside its lines.
type Reading struct {
	// Gone says of a turn that what it taught was forgotten: it is left out. nil: none.
	Gone func(session.Turn) bool
	// Given is the least trusted origin of the memories that the answer of that number
	// was given; nil, or "" from it: none.
	Given func(n int) memory.Origin
	// After leaves out, but for their origin, the turns up to that number, which an
	// earlier extraction has read.
	After int
}

// Passages returns the texts of a recorded conversation, in its order.
func Passages(t *session.Transcript, r Reading) []Passage {
	var list []Passage
	taint, scope := memory.OriginUser, t.Header.Scope
	floor := channelOrigin(t.Header.Channel)
	for _, e := range t.Entries {
		switch {
		case e.Event != nil && e.Event.Name == session.EventReset:
			taint = memory.OriginUser // nothing before it reaches a model any more
		case e.Turn == nil:
		default:
			turn := *e.Turn
			if turn.Scope != "" {
				scope = turn.Scope
			}
			if e.Left.Taken() || r.Gone != nil && r.Gone(turn) {
				continue // nothing behind it has seen it
			}
			if turn.Role == session.RoleAssistant && r.Given != nil {
				taint = taint.Lowest(r.Given(turn.N))
			}
			parts := split(turn, taint)
			for i := range parts {
				p := &parts[i]
				p.N, p.Time, p.Scope = turn.N, turn.Time, scope
				p.Origin = p.Origin.Lowest(floor)
				p.Hidden = p.Hidden || turn.N <= r.After && r.After > 0
				taint = taint.Lowest(p.Origin)
			}
			list = append(list, parts...)
		}
	}
	return list
}

// channelOrigin is the best that a turn of a channel can be: programs write the
// turns of some.
func channelOrigin(c session.Channel) memory.Origin {
	switch c {
	case session.ChannelImport:
		return memory.OriginImport
	case session.ChannelMCP, session.ChannelHTTP:
		return memory.OriginAgent + ":" + memory.Origin(c)
	}
	return memory.OriginUser
}

// A Said is a turn as other programs write it: who, and what.
type Said struct {
	Role, Content string
	At            time.Time // zero: not known
}

// PassagesOf returns the texts of turns that other programs recorded, numbered from 1.
// Whoever is neither the person nor the assistant is not trusted by name.
func PassagesOf(said []Said) []Passage {
	var list []Passage
	taint := memory.OriginUser
	for i, s := range said {
		role, from := roleOf(s.Role)
		turn := session.Turn{N: i + 1, Time: s.At, Role: role, Content: s.Content}
		if from.Rank() > 0 && role != session.RoleAssistant {
			turn.From = string(from)
		}
		parts := split(turn, taint)
		for j := range parts {
			parts[j].N, parts[j].Time = turn.N, turn.Time
			taint = taint.Lowest(parts[j].Origin)
		}
		list = append(list, parts...)
	}
	return list
}

// roleOf reads the role of a turn of another program: "tool:web", "import",
// "telegram:forwarded".
func roleOf(name string) (session.Role, memory.Origin) {
	name = strings.ToLower(strings.TrimSpace(name))
	head, _, _ := strings.Cut(name, ":")
	switch {
	case name == "user" || name == "human":
		return session.RoleUser, memory.OriginUser
	case name == "assistant" || name == "model" || name == "ai":
		return session.RoleAssistant, memory.OriginModel
	case head == "tool" || head == "function":
		return session.RoleTool, memory.OriginTool
	case head == "import" || head == "imported":
		return session.RoleTool, memory.OriginImport
	case head == "agent" && len(name) > len("agent:"):
		return session.RoleTool, memory.Origin(name)
	}
	return session.RoleTool, memory.OriginExternal
}

// split takes a turn apart by where its texts come from. taint is the least trusted
// of what stood before it.
func split(t session.Turn, taint memory.Origin) []Passage {
	from := memory.Origin(t.From)
	switch {
	case strings.TrimSpace(t.Content) == "":
		return nil
	case t.Recalled: // it came from memory, or sums up what came before
		return []Passage{{Text: t.Content, Origin: memory.OriginModel.Lowest(taint).Lowest(from), Answer: true, Hidden: true}}
	case t.Role == session.RoleAssistant:
		return []Passage{{
			Text: withoutMemory(t.Content), Origin: memory.OriginModel.Lowest(taint).Lowest(from), Answer: true,
			Hidden: Parse(t.Content).looksExtracted(t.Content),
		}}
	case t.Role != session.RoleUser && strings.HasPrefix(t.From, string(memory.OriginAgent)+":"):
		return []Passage{{Text: t.Content, Origin: from, Hidden: true}}
	case t.Role != session.RoleUser:
		return []Passage{{Text: t.Content, Origin: memory.OriginTool.Lowest(from), Hidden: true}}
	case t.Nudge: // ken's words, behind what commands printed
		return []Passage{{Text: t.Content, Origin: memory.OriginModel.Lowest(from), Hidden: true}}
	case t.Speaker != "":
		from = from.Lowest(memory.OriginImport)
	}
	return own(t.Content, from)
}

// own takes apart a turn of the person: what commands printed, and what they typed. A
// turn into which something was piped counts as piped in as a whole.
func own(text string, from memory.Origin) []Passage {
	var list []Passage
	other := func(text string, o memory.Origin) {
		if strings.TrimSpace(text) != "" {
			list = append(list, Passage{Text: text, Origin: o, Hidden: true})
		}
	}
	known := false // the text that From speaks of was found
	if rest, ok := strings.CutPrefix(text, frame.Output+"\n"); ok {
		block, after, ok := strings.Cut(rest, "\n"+frame.OutputEnd)
		if ok {
			other(block, memory.OriginTool)
			text, known = strings.TrimLeft(after, "\n"), from == memory.OriginTool
		}
	}
	if from.Rank() > 0 && !known {
		// Where all of it was piped in, a mark in the middle would make the beginning
		// pass for typed.
		other(text, from)
		return list
	}
	if before, piped, ok := strings.Cut("\n"+text, "\n"+frame.Stdin+"\n"); ok {
		other(piped, memory.OriginExternal)
		text = strings.TrimSpace(before)
	}
	typed, quoted := unquote(withoutMemory(text))
	other(quoted, memory.OriginExternal)
	if strings.TrimSpace(typed) != "" {
		list = append(list, Passage{Text: strings.TrimSpace(typed), Origin: memory.OriginUser})
	}
	return list
}

// withoutMemory leaves out blocks that a prompt had from memory, and that somebody
// has copied into a turn.
func withoutMemory(s string) string {
	for _, mark := range [...]string{frame.Background, frame.Memories, frame.Summary} {
		for {
			i := strings.Index(s, mark)
			if i < 0 {
				break
			}
			end := len(s)
			if j := strings.Index(s[i:], frame.MemoriesEnd); mark == frame.Memories && j >= 0 {
				end = i + j + len(frame.MemoriesEnd)
			} else if j := strings.Index(s[i:], "\n\n"); j >= 0 {
				end = i + j
			}
			s = s[:i] + s[end:]
		}
	}
	return s
}

// looksExtracted reports whether a text is the answer of an extraction: nothing but
// candidates.
func (a Answer) looksExtracted(text string) bool {
	if len(a.Lines)+a.Refused == 0 {
		return false
	}
	lines := 0
	for line := range strings.Lines(text) {
		if s := strings.TrimSpace(line); s != "" && !strings.HasPrefix(s, "```") {
			lines++
		}
	}
	return strings.HasPrefix(unfenced(text), "[") || strings.HasPrefix(unfenced(text), "{") || lines <= len(a.Lines)+a.Refused
}

// unquote takes out of what was typed what the person only passes on: quoted lines,
// fences, longer quotations, what stands behind "translate this:", and all of a
// message that was forwarded.
func unquote(s string) (typed, quoted string) {
	var in, out []string
	if i := strings.Index(text.Fold(s), "forwarded"); i >= 0 && i < 8 || strings.HasPrefix(text.Fold(s), "fwd:") {
		return "", s
	}
	fenced := false
	for line := range strings.Lines(s) {
		line = strings.TrimRight(line, "\n")
		s := strings.TrimSpace(line)
		fence := strings.HasPrefix(s, "```") || strings.HasPrefix(s, "~~~")
		if fence {
			fenced = !fenced
		}
		if fence || fenced || strings.HasPrefix(s, ">") || strings.HasPrefix(s, "|") {
			out = append(out, line)
		} else {
			in = append(in, line)
		}
	}
	typed, passed := quotations(strings.Join(in, "\n"))
	if rest, material, ok := handedOn(typed); ok {
		typed, passed = rest, append(passed, material)
	}
	return typed, strings.Join(append(out, passed...), "\n")
}

// shortQuote is how many words a quotation has at most that belongs to the sentence
// around it, as a name or a label does.
const shortQuote = 3

// cutOut stands where a quotation was.
const cutOut = "…"

// quotations takes quotations of more than shortQuote words out of s.
func quotations(s string) (rest string, quoted []string) {
	for _, pair := range [...][2]string{{`"`, `"`}, {"“", "”"}, {"„", "“"}, {"«", "»"}, {"「", "」"}, {"`", "`"}, {" '", "'"}} {
		var b strings.Builder
		for {
			i := strings.Index(s, pair[0])
			if i < 0 {
				break
			}
			inner, after, ok := strings.Cut(s[i+len(pair[0]):], pair[1])
			if !ok {
				break
			}
			whole := s[:len(s)-len(after)]
			if len(text.WordsInOrder(inner)) > shortQuote {
				quoted = append(quoted, inner)
				whole = s[:i] + " " + cutOut + " "
			}
			b.WriteString(whole)
			s = after
		}
		s = b.String() + s
	}
	return s, quoted
}

// handedOn splits "translate this: ..." where the material begins.
func handedOn(s string) (request, material string, ok bool) {
	i := strings.IndexAny(s, ":\n")
	if i < 0 || strings.TrimSpace(s[i+1:]) == "" {
		return s, "", false
	}
	words := text.WordsInOrder(s[:i])
	if len(words) > 12 || !anyPhrase(statements().handing, words) {
		return s, "", false
	}
	return s[:i], s[i+1:], true
}
