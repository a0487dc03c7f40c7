package teach

import "slices"

// state reads what may be worth keeping, though nobody asks for it.
func (r *reading) state() (Reading, bool) {
	if r.code || len(r.sentences) == 0 {
		return Reading{}, false
	}
	first := r.sentences[0]
	first.from = r.start(first)
	asked := r.begins("task", first)
	if asked && (r.begins("text-task", first) || r.announces()) {
		return Reading{}, false // what follows may be part of it
	}
	for _, s := range r.sentences {
		here := span{r.start(s), s.to}
		if r.takenBack(here) {
			continue
		}
		if got, ok := r.stated(here); ok && !r.asks(s) && (!asked || r.begins("own", here)) {
			return got, true
		}
		if !here.empty() && r.begins("none", here) {
			continue
		}
		for _, part := range r.parts(here) {
			if r.has("none", part) {
				break // "my boss says, we use Java": what follows is theirs as well
			}
			if got, ok := r.stated(part); ok && (!asked || r.begins("own", part)) {
				return got, true
			}
		}
		asked = asked || r.begins("question", here)
	}
	return Reading{}, false
}

// mostTag is how many words a clause has at most that says of the whole sentence how it is meant: "..., just
// kidding".
const mostTag = 3

// takenBack reports whether the last clause of a sentence is such a one, and leaves nothing of it.
func (r *reading) takenBack(s span) bool {
	for i := s.to - 1; i > s.from && i >= s.to-mostTag; i-- {
		if r.tokens[i].before&comma != 0 {
			return r.has("none", span{i, s.to})
		}
	}
	return false
}

// announces reports whether something in the line announces what follows, as a colon does.
func (r *reading) announces() bool {
	return slices.ContainsFunc(r.tokens, func(t token) bool { return t.before&colon != 0 || t.quoted })
}

// stated reads a sentence, or a clause, as a statement.
func (r *reading) stated(here span) (Reading, bool) {
	if here.empty() || r.has("none", here) {
		return Reading{}, false
	}
	if f, m, ok := r.list("plain").at(r.at(here), here.from); ok {
		return r.made(Propose, f, here, m)
	}
	if r.begins("question", here) || r.begins("task", here) || r.has("moment", here) || r.quotes(here) {
		return Reading{}, false
	}
	f, m, ok := r.list("state").at(r.at(here), here.from)
	on := span{r.placed(here.from, here.to), here.to}
	if !ok && on.from > here.from && !r.begins("question", on) && !r.begins("task", on) {
		f, m, ok = r.list("state").at(r.at(on), on.from)
	}
	if !ok {
		return Reading{}, false
	}
	text := here
	if !m.text.empty() {
		text = m.text
	}
	return r.made(Propose, f, text, m)
}

// leastStated is how many words a clause beside a question or a task has at least to
// be a statement by itself, and leastDense how many letters of a script without blanks.
const (
	leastStated = 2
	leastDense  = 6
)

// parts are the clauses of a sentence of which one is a question or a task: people say what
// they have and what they want of it, in either order. Of a question or a task itself, and
// of a last clause that asks, nothing is stated.
func (r *reading) parts(s span) []span {
	if s.empty() {
		return nil
	}
	var list []span
	from := s.from
	for i := s.from + 1; i < s.to; i++ {
		if r.tokens[i].before&comma == 0 {
			continue
		}
		list = append(list, span{from, i})
		from = r.start(span{i, s.to})
		i = max(i, from)
	}
	if len(list) == 0 {
		return nil
	}
	if from < s.to && !r.asks(s) {
		list = append(list, span{from, s.to})
	}
	least := leastStated
	if dense(r.tokens[s.from].word) {
		least = leastDense
	}
	wants := r.begins("question", s) || r.begins("task", s)
	asked := r.asks(s)
	return slices.DeleteFunc(list, func(c span) bool {
		return c.to-c.from < least || asked && r.begins("when", c) || (wants || c.from > list[0].from) && !r.begins("own", c)
	})
}

// quotes reports whether somebody else's words are in s.
func (r *reading) quotes(s span) bool {
	for i := s.from; i < s.to; i++ {
		if r.tokens[i].quoted {
			return true
		}
	}
	return false
}
