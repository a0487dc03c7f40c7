package agent

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"ken/internal/frame"
	"ken/internal/memory"
	"ken/internal/session"
	"ken/internal/termsafe"
	"ken/internal/tokens"
	"ken/internal/working/digest"
)

// A Transcript is what was said in a conversation: the live turns, what stands for those that left, what is aside and can come
// back, and what commands printed that is not said yet. It knows nothing of prompts and models.
//
// # Laws
//
//   - What is live is in the record, as it is recorded: clean and masked. A process that continues the record has the same turns.
//   - Turns leave from one end, with an event, and a turn that left by Drop or for another question comes back to its place.
//   - What is forgotten or erased is in nothing that a method returns for sending; what is erased is held nowhere.
//   - A stranger gets no turn that was said to others, whatever left, came back or was summed up meanwhile.
type Transcript struct {
	o      *Options
	record Recorder
	turns  []session.Turn // live, oldest first
	scope  string         // where the session says that the person stands
	ran    outputs        // what commands printed since the last question
	// pictures are those that live turns speak of.
	pictures pictures
	short    session.Shortened // what of the turns is sent shorter; Window says what

	summary string        // of the turns that left the context; "" if none did
	words   string        // what the person said in those
	summed  memory.Origin // the least trusted of what summary stands for; "": the person's
	outside bool          // text of neither the person nor a model was read in turns that left, or before

	hides  bool // hidden is up to date
	hidden func(session.Turn) bool

	private int  // so many of the oldest turns were not said to a stranger
	privy   bool // nor were those that summary stands for

	aside   []session.Entry
	dropped []Span        // that can come back; the newest is the last
	drops   int           // how often turns were dropped
	failed  *session.Turn // the newest question, if it got no answer and nothing was said since
	instead bool          // it was asked in the place of the last one that is live
	asked   session.Turn  // the newest question, whole
}

// Forgotten is what is sent in the place of a turn whose text must not come back.
// The turn itself stays, so that roles alternate and undo brings it back.
const Forgotten = "[forgotten]"

// Turns returns the live turns, oldest first, as they were said.
func (tr *Transcript) Turns() []session.Turn { return tr.turns }

// Summary returns what stands for the turns that left the context; "" if none did.
func (tr *Transcript) Summary() string { return tr.summary }

// Sent returns the live turns as the next request sends them: those that taught what
// was forgotten say no more than that.
func (tr *Transcript) Sent(ctx context.Context) []session.Turn {
	if !tr.hides && tr.o.Memory != nil {
		tr.hidden, tr.hides = tr.o.Memory.Hides(ctx, tr.record), true
	}
	if tr.hidden == nil || !slices.ContainsFunc(tr.turns, tr.hidden) {
		return tr.turns
	}
	turns := slices.Clone(tr.turns)
	for i, t := range turns {
		if tr.hidden(t) {
			turns[i] = emptied(t, Forgotten)
		}
	}
	return turns
}

// Hides reports whether turn n of a conversation, or text that belongs to it, is not sent, since what it taught or says was
// forgotten.
func (tr *Transcript) Hides(ctx context.Context, n int, text string) bool {
	tr.Sent(ctx) // asks what is hidden, if it is not known
	return tr.hidden != nil && tr.hidden(session.Turn{N: n, Content: text})
}

// ResultAt is turn n of a conversation, if it is live and what came of a call.
func (tr *Transcript) ResultAt(n int) (t session.Turn, ok bool) {
	i := slices.IndexFunc(tr.turns, func(t session.Turn) bool { return t.N == n && t.Role == session.RoleTool })
	if i < 0 {
		return t, false
	}
	return tr.turns[i], true
}

// Going returns the live turns as they would be sent now: those of Sent, without what a
// stranger does not get, and shorter where that makes room.
func (tr *Transcript) Going(ctx context.Context) []session.Turn { return tr.goes(tr.Sent(ctx)) }

// goes are the turns that go to the model in force, of those that are live.
func (tr *Transcript) goes(turns []session.Turn) []session.Turn {
	if !tr.o.stranger() {
		return shorter(turns, tr.short)
	}
	turns = slices.Clone(turns[min(tr.private, len(turns)):])
	return shorter(slices.DeleteFunc(turns, func(t session.Turn) bool { return t.Recalled }), tr.short)
}

// Earlier reports whether there is anything of the conversation that a stranger does not get.
func (tr *Transcript) Earlier() bool { return tr.private > 0 || tr.privy }

// before are the questions before the newest one, the newest of them first.
func (tr *Transcript) before(ctx context.Context) (asked []string) {
	turns := tr.Sent(ctx)
	for i := len(turns) - 2; i >= 0 && len(asked) < maxBefore; i-- {
		if t := turns[i]; t.ByPerson() && t.Content != Forgotten && t.Content != session.Gone {
			asked = append(asked, Typed(t))
		}
	}
	return asked
}

// add records a turn and makes it live; it gives the turn's number, 0 if it
// cannot be a line, and whether it is in the record.
func (tr *Transcript) add(t session.Turn) (n int, kept bool) {
	n, err := tr.record.AppendTurn(t)
	if err != nil {
		tr.o.Voice.Warn(fmt.Errorf("this turn is not in the session: %w", err))
	}
	t.N = n
	tr.turns = append(tr.turns, t)
	return n, err == nil
}

// An asking is a question that was put, until it is answered.
type asking struct {
	turn     session.Turn
	replaced bool    // it is in the place of another one
	ran      outputs // what commands had printed before it
}

// put records a question and makes it live, in the place of the one that it is asked again for.
func (tr *Transcript) put(q Question) (p asking) {
	p.replaced, p.ran, tr.pictures.deaf = tr.replace(q), tr.ran, q.NoPictures
	p.turn = tr.o.safe(tr.asTurn(q))
	p.turn.N, _ = tr.add(p.turn)
	if p.replaced {
		tr.dropped[len(tr.dropped)-1].by = p.turn.N
	}
	tr.asked, tr.failed, tr.instead = p.turn, nil, false
	return p
}

// unanswered makes a question, live turn i, and what came behind it live no more, since no word of an answer came: what
// commands printed goes with the next one, and what it was asked in the place of comes back.
func (tr *Transcript) unanswered(q Question, p asking, i int) {
	tr.takeBack(i, p.turn.N, p.ran)
	if !q.Nudge {
		again := p.turn // as it can be asked once more: what commands printed goes with it anew
		again.Content, again.From = tr.o.mask(termsafe.Clean(q.Text)), q.From
		tr.failed = &again
	}
	if p.replaced {
		tr.putBack(p.turn.N)
	}
}

// saidInPrivate notes that what is live was said to a model that is no stranger.
func (tr *Transcript) saidInPrivate() { tr.private = len(tr.turns) }

// left has a summary stand for the first cut turns, whose least trusted origin is from; foreign says that text of neither the
// person nor a model was read in them, or before. It is recorded first; after an error none left.
func (tr *Transcript) left(cut int, summary, words string, from memory.Origin, foreign bool) error {
	if n := tr.turns[cut].N; n > 0 {
		event := session.Compact(summary, words, n)
		if from := fromField(from); from != "" {
			event.Fields = append(event.Fields, session.StringField("from", from))
		}
		if foreign {
			event.Fields = append(event.Fields, session.IntField("outside", 1))
		}
		event.Time = tr.o.now()
		if err := tr.record.AppendEvent(event); err != nil {
			return fmt.Errorf("nothing was summed up: the summary cannot be kept: %w", err)
		}
	}
	tr.turns = append([]session.Turn(nil), tr.turns[cut:]...)
	tr.summary, tr.words, tr.summed, tr.outside = summary, words, from, foreign
	tr.summedUp(tr.turns[0].N)
	tr.private, tr.privy = max(0, tr.private-cut), tr.privy || tr.private > 0
	return nil
}

// asTurn is a question as it is recorded and sent, with what the person's commands
// printed since the last one in front of it.
func (tr *Transcript) asTurn(q Question) session.Turn {
	t := session.Turn{}
	if q.Again != nil {
		t = *q.Again // with what else was given with it
	}
	t.N, t.Time, t.Role, t.Content, t.From, t.Scope = 0, tr.o.now(), session.RoleUser, q.Text, q.From, ""
	t.Nudge = q.Nudge
	if q.Scope != "" && q.Scope != tr.scope {
		t.Scope, tr.scope = q.Scope, q.Scope
	}
	tr.pictures.attach(&t, q.Attached)
	if q.Again != nil && (tr.failed == nil || tr.instead || strings.HasPrefix(t.Content, frame.Output+"\n")) {
		return t // it has what was printed before it; the rest waits for a question of its own
	}
	if block := tr.ran.block(tr.o.OutputTokens); block != "" {
		t.Content = block + "\n\n" + t.Content
		if t.From == "" {
			t.From = "tool" // text that came from outside is trusted less still
		}
	}
	tr.ran = outputs{}
	return t
}

// reset has nothing be live any more, which the session gets an event of. It reports whether something was.
func (tr *Transcript) reset() bool {
	tr.ran = outputs{}
	if len(tr.turns) == 0 && tr.summary == "" && len(tr.aside) == 0 {
		return false
	}
	tr.turns, tr.summary, tr.words, tr.private, tr.privy, tr.pictures.list = nil, "", "", 0, false, nil
	tr.summed, tr.short, tr.outside = "", session.Shortened{}, false
	tr.continueLeft(session.Live{})
	if err := tr.record.AppendEvent(session.Event{Time: tr.o.now(), Name: session.EventReset}); err != nil {
		tr.o.Voice.Warn(fmt.Errorf("the session does not know of the reset: %w", err))
	}
	return true
}

// goOn takes what is live of an earlier session: see Conversation.Continue.
func (tr *Transcript) goOn(ctx context.Context, live session.Live, rec Recorder, scope string) {
	if len(tr.turns) > 0 {
		tr.ran = outputs{}
	}
	tr.turns, tr.record, tr.scope, tr.hides = slices.Clone(live.Turns), rec, scope, false
	tr.summary = tr.o.mask(termsafe.Clean(live.Summary))
	tr.private, tr.privy = len(tr.turns), tr.summary != ""
	tr.summed, tr.short, tr.outside = memory.Origin(live.From), live.Shortened, read(live)
	if tr.words = tr.o.mask(termsafe.Clean(live.Words)); tr.words == "" { // an older version wrote it
		_, tr.words = digest.Split(tr.summary)
		tr.words = digest.Words(tr.words)
	}
	for i := range tr.turns {
		tr.turns[i] = tr.o.safe(tr.turns[i])
	}
	tr.continueLeft(live)
	tr.pictures.reopen(ctx, tr.turns)
}

// erase takes out of what is held what says something that was erased, and what is erased in the record.
func (tr *Transcript) erase(says func(string) bool, record []session.Turn) {
	gone := make(map[int]bool)
	for _, t := range record {
		if t.Content == session.Gone {
			gone[t.N] = true
		}
	}
	erased := func(t session.Turn) bool {
		return gone[t.N] || says(t.Content) || says(string(t.ToolCalls)) || says(string(t.Attached))
	}
	for i, t := range tr.turns {
		if erased(t) {
			tr.turns[i] = emptied(t, session.Gone)
		}
	}
	tr.eraseLeft(erased)
	tr.summary, tr.words = without(tr.summary, says), without(tr.words, says)
	tr.ran.list = slices.DeleteFunc(tr.ran.list, func(r Ran) bool { return says(r.Command) || says(r.Output) })
}

// without is a text without the lines that say something.
func without(text string, says func(string) bool) string {
	if !says(text) {
		return text
	}
	if text = strings.Join(slices.DeleteFunc(strings.Split(text, "\n"), says), "\n"); says(text) {
		return ""
	}
	return text
}

// emptied is a turn that says text and nothing else.
func emptied(t session.Turn, text string) session.Turn {
	t.Content, t.ToolCalls, t.Attached, t.Raw, t.Extra = text, nil, nil, nil, nil
	return t
}

// bytes is the length of what is live, with the frames around it.
func (tr *Transcript) bytes() int {
	n := len(tr.summary)
	for _, p := range tr.pictures.list {
		n += p.Tokens
	}
	for _, t := range tr.turns {
		n += len(t.Content) + len(t.ToolCalls) + 100
		for _, raw := range t.Raw {
			n += len(raw)
		}
	}
	return n
}

// wordsWith is what the person said in the turns that left the context and in these.
func (tr *Transcript) wordsWith(ctx context.Context, turns []session.Turn, budget int) string {
	return tr.o.mask(tr.sayable(ctx, digest.Of(tr.sayable(ctx, tr.words), digest.Person(digestTurns(turns)), budget)))
}

// cutAt is how many of the oldest turns can leave if so many stay at least: what
// stays begins with a turn of the person, so that a call stays with its results and
// an answer with its question.
func (tr *Transcript) cutAt(keep int) int {
	cut := len(tr.turns) - max(keep, 1)
	for cut > 0 && tr.turns[cut].Role != session.RoleUser {
		cut--
	}
	return max(cut, 0)
}

// digest is what turns come to without a model, behind what stands for the turns
// before them.
func (tr *Transcript) digest(ctx context.Context, turns []session.Turn, budget int) string {
	model, earlier := digest.Split(tr.sayable(ctx, tr.summary))
	if model != "" { // nobody can sum it up further: its beginning stays
		model, _ = tokens.Cut(model, budget/2)
		budget -= tokens.Estimate(model) + 2
	}
	text := digest.Of(earlier, digestTurns(turns), budget)
	return tr.o.mask(strings.TrimSpace(model + "\n\n" + text))
}

// sayable is a summary without the lines that say what was forgotten, or is so no more.
func (tr *Transcript) sayable(ctx context.Context, text string) string {
	if text == "" {
		return ""
	}
	tr.Sent(ctx) // asks what is hidden, if it is not known
	return digest.Without(text, func(line string) bool {
		return tr.hidden != nil && tr.hidden(session.Turn{Content: line}) || tr.o.Carried != nil && tr.o.Carried.Outdated(line)
	})
}
