package agent

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"ken/internal/jsonl"
	"ken/internal/llm"
	"ken/internal/session"
	"ken/internal/termsafe"
	"ken/internal/tokens"
)

// Bounds of what is sent shorter.
const (
	leastResult = 64  // tokens of a result that is not worth it
	leastText   = 32  // tokens that a text of the last round is cut to at last
	mostInRound = 16  // calls of a round that go along at last: so many are done
	mostTold    = 160 // tokens in which steps that are left out are named
)

// makeWay makes room for one more request behind what came of calls, in a window of so many tokens: first what came of earlier
// calls is named and no more, then what was said before the question is summed up without a model, then the earliest calls are left
// out, at last the texts of the last ones are cut. The question and the last round stay. The session has all of it.
func (w *Window) makeWay(ctx context.Context, q *Question) {
	limit := 0.0
	large := func() bool {
		limit = fits * float64(q.Window) / w.scale()
		if limit <= 0 || float64(w.bytes()+w.prompt.defined(ctx)+w.prompt.recalled) < limit { // no text has more tokens than bytes
			return false
		}
		return float64(w.size(ctx)+w.prompt.recalled) > limit
	}
	if !large() {
		return
	}
	if q.wait(ctx) && !large() {
		return
	}
	was := w.said.short
	w.said.short.Most, w.said.short.Until = 0, 0
	rest := limit - float64(w.prompt.recalled)
	w.fewer(ctx, rest, roomy*rest, results(w.said.turns, w.said.short.Results), func(n int) { w.said.short.Results = n })
	if large() {
		_ = w.summing(ctx, 1, leaving{gain: true}) // that nothing is gained is no fault
	}
	w.fewer(ctx, rest, roomy*rest, rounds(w.said.turns, w.said.short.Rounds), func(n int) { w.said.short.Rounds = n })
	for most := q.Window / 8; large() && most >= leastText; most /= 2 {
		w.said.short.Most, w.said.short.Until = most, w.said.turns[len(w.said.turns)-1].N
	}
	w.said.noteShortened(was)
	if large() && !q.Whole {
		w.fitQuestion(ctx, rest, q.Window)
	}
}

// shortenResults names what came of calls before the newest question, and no more, until the request takes at most so many tokens. It
// reports whether something is shorter.
func (w *Window) shortenResults(ctx context.Context, limit float64) bool {
	was := w.said.short
	w.fewer(ctx, limit, limit, results(w.said.turns, w.said.short.Results), func(n int) { w.said.short.Results = n })
	w.said.noteShortened(was)
	return w.said.short != was
}

// noteShortened has the session know of what is sent shorter, if that is another than it was.
func (tr *Transcript) noteShortened(was session.Shortened) {
	if tr.short == was {
		return
	}
	event := tr.short.Event()
	event.Time = tr.o.now()
	if err := tr.record.AppendEvent(event); err != nil {
		tr.o.Voice.Warn(fmt.Errorf("the session does not know what is sent shorter: %w", err))
	}
}

// fewer sets the first of ascending numbers with which the request takes at most target tokens, or the last one; nothing where it
// takes at most limit as it is.
func (w *Window) fewer(ctx context.Context, limit, target float64, numbers []int, set func(int)) {
	if len(numbers) == 0 || float64(w.size(ctx)) <= limit {
		return
	}
	i := sort.Search(len(numbers)-1, func(i int) bool {
		set(numbers[i])
		return float64(w.size(ctx)) <= target
	})
	set(numbers[i])
}

// earlier is how many of the oldest turns are before the last round, which is what is to be answered: a question, or calls with what
// came of them.
func earlier(turns []session.Turn) int {
	i := len(turns) - 1
	for i > 0 && turns[i].Role == session.RoleTool {
		i--
	}
	return max(i, 0)
}

// results are the numbers of the turns before the last round that have what came of a call, and are sent as they are: those after n.
func results(turns []session.Turn, n int) (list []int) {
	for _, t := range turns[:earlier(turns)] {
		if t.Role == session.RoleTool && t.N > n {
			list = append(list, t.N)
		}
	}
	return list
}

// rounds are the numbers of the last turns of rounds of calls before the last round, that are not left out: those after n.
func rounds(turns []session.Turn, n int) (list []int) {
	end := earlier(turns)
	for i, t := range turns[:end] {
		if t.Role == session.RoleTool && t.N > n && (i+1 == end || turns[i+1].Role != session.RoleTool) {
			list = append(list, t.N)
		}
	}
	return list
}

// shorter are turns as they are sent, to make room.
func shorter(turns []session.Turn, short session.Shortened) []session.Turn {
	if short == (session.Shortened{}) {
		return turns
	}
	whole, turns := turns, slices.Clone(turns)
	first, steps := -1, 0
	told := func(end int) {
		if first >= 0 {
			turns[first].Content = tellSteps(whole[first:end], steps, short.Rounds)
		}
		first, steps = -1, 0
	}
	for i, t := range whole {
		calls := len(t.ToolCalls) > 0
		switch {
		case t.Role == session.RoleUser:
			told(i)
		case t.N == 0: // the session has not got it
		case t.N <= short.Rounds && t.Role == session.RoleTool: // its call is gone
		case t.N <= short.Rounds && calls:
			if steps++; first < 0 {
				first = i
			}
			turns[i].Content, turns[i].ToolCalls, turns[i].Raw = "", nil, nil
		case t.N <= short.Results && t.Role == session.RoleTool:
			turns[i].Content = shortResult(t)
		case t.N <= short.Until && t.Role == session.RoleTool:
			turns[i].Content = shortenTo(t.Content, short.Most, gapOf(t))
		case t.N <= short.Until && calls:
			turns[i] = shortCalls(t, short.Most)
		}
	}
	told(len(whole))
	return turns
}

// shortResult is what came of a call, named and no more, where that is shorter.
func shortResult(t session.Turn) string {
	if tokens.Estimate(t.Content) <= leastResult {
		return t.Content
	}
	return firstLine(t.Content) + fmt.Sprintf("\n[... %d tokens left out to make room: read_file out:%d]", tokens.Estimate(t.Content), t.N)
}

// gapOf stands for what is left out of the middle of a result. With a number first it is no line that a frame marks.
func gapOf(t session.Turn) string {
	return fmt.Sprintf("\n[... %d tokens in all, the middle left out: read_file out:%d]\n", tokens.Estimate(t.Content), t.N)
}

// cutText is the beginning of a text, in a line.
func cutText(s string) string {
	const most = 80
	return termsafe.Cut(termsafe.Line(s), most)
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	return cutText(s)
}

// named are the calls of a turn, in a line.
func named(t session.Turn) string {
	calls, err := llm.ParseToolCalls(t.ToolCalls)
	if err != nil {
		return "a call"
	}
	var list []string
	for _, call := range calls {
		list = append(list, cutText(call.Name+" "+call.Arguments))
	}
	return strings.Join(list, ", ")
}

// tellSteps stands for so many rounds of calls that are left out, up to turn last, the newest of them named.
func tellSteps(turns []session.Turn, steps, last int) string {
	var list []string
	rest, came := mostTold, ""
	for _, t := range slices.Backward(turns) {
		switch {
		case t.N == 0 || t.N > last:
			continue
		case t.Role == session.RoleTool:
			came = firstLine(t.Content)
			continue
		case len(t.ToolCalls) == 0:
			continue
		}
		step := named(t)
		if came != "" {
			step, came = step+": "+came, ""
		}
		if rest -= tokens.Estimate(step) + 1; rest < 0 {
			list = append(list, "...")
			break
		}
		list = append(list, step)
	}
	slices.Reverse(list)
	return "(" + strconv.Itoa(steps) + " earlier steps are left out: " + strings.Join(list, "; ") + ")"
}

// shortCalls is a turn whose texts take at most so many tokens each, with no more calls than are done.
func shortCalls(t session.Turn, most int) session.Turn {
	calls, err := llm.ParseToolCalls(t.ToolCalls)
	if err != nil {
		return t
	}
	calls = calls[:min(len(calls), mostInRound)]
	for i, call := range calls {
		calls[i].Arguments = shortArguments(call.Arguments, most)
	}
	t.ToolCalls, t.Content = llm.MarshalToolCalls(calls), shortenTo(t.Content, most, leftOut)
	for _, raw := range t.Raw {
		if tokens.Estimate(string(raw)) > most {
			t.Raw = nil
		}
	}
	return t
}

// shortArguments are arguments whose values take at most so many tokens each; none at all where they are no object.
func shortArguments(object string, most int) string {
	if tokens.Estimate(object) <= most {
		return object
	}
	out := []byte("{")
	for f, err := range jsonl.Object([]byte(object)) {
		if err != nil {
			return "{}"
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(jsonl.AppendString(out, string(f.Name)), ':')
		text, isText := f.Value.Text()
		switch {
		case tokens.Estimate(string(f.Value)) <= most:
			out = append(out, f.Value...)
		case isText:
			out = jsonl.AppendString(out, shortenTo(text, most, leftOut))
		default:
			out = jsonl.AppendString(out, strings.TrimSpace(leftOut))
		}
	}
	return string(append(out, '}'))
}

// fewerStill makes a request of so many tokens shorter that the server refused as too long; it reports whether it could.
func (w *Window) fewerStill(ctx context.Context, asked *Question, e *llm.Error, size int) bool {
	q := *asked
	q.told = true
	if known := q.tooLong(ctx, e); q.Server != nil {
		q.Window = known
	}
	if q.Window > 0 {
		asked.Window, asked.told, w.prompt.window = q.Window, true, q.Window
		w.recount(e, size, q.Window)
	} else { // nobody says how much it takes: less than this
		q.Window = int(float64(size) * w.scale())
	}
	w.makeWay(ctx, &q)
	return w.size(ctx)+w.prompt.recalled < size
}
