package teach

import (
	"strings"

	"ken/internal/memory"
)

// A reading is a line while it is read.
type reading struct {
	line      string
	tokens    []token
	after     mark
	sentences []span
	known     []uint64 // by token: the languages that have its word
	code      bool     // it has something of code in it
	close     bool     // its language is not sure

	tongue *tongue
	work   *work
	barred bool // the language says what the line is: nothing of the memory
	orders bool // what is read is what is to be done
}

// split finds the sentences.
func (r *reading) split() {
	from := 0
	for i := 1; i <= len(r.tokens); i++ {
		if i == len(r.tokens) || r.tokens[i].before&stop != 0 {
			r.sentences = append(r.sentences, span{from, i})
			from = i
		}
	}
}

// use has the line compared with the frames of the language in force, with so many steps at most.
func (r *reading) use(steps int) {
	if r.work == nil {
		r.work = new(work)
	}
	if r.work.steps = steps; r.work.tongue != r.tongue {
		clear(r.work.tables)
		r.work.frames, r.work.tongue = r.tongue.may(r.tokens), r.tongue
	}
}

func (r *reading) at(s span) *sentence {
	return &sentence{line: r.line, tokens: r.tokens, after: r.after, places: r.list("scope"), span: s, work: r.work}
}

// asks reports whether s is a question. Only what may stand at any end is asked in "..., ok?".
func (r *reading) asks(s span) bool {
	if !r.at(s).asks() {
		return false
	}
	for i := s.from + 1; i < s.to; i++ {
		if (r.tokens[i].before&comma != 0 || i == s.to-1) && r.ends(i, s.to) { // "..., ok?"
			return false
		}
	}
	return true
}

func (r *reading) list(name string) *list { return r.tongue.lists[name] }

// has reports whether a frame of a table fits anywhere in s, and begins whether one fits
// at its beginning.
func (r *reading) has(table string, s span) bool { return !s.empty() && r.list(table).has(r.at(s)) }

func (r *reading) begins(table string, s span) bool {
	if s.empty() {
		return false
	}
	_, _, ok := r.list(table).at(r.at(s), s.from)
	return ok
}

// start is where a sentence begins behind greetings and names.
func (r *reading) start(s span) int {
	i := s.from
	for i < s.to {
		_, m, ok := r.list("lead").at(r.at(span{i, s.to}), i)
		if !ok || m.end == i {
			break
		}
		i = m.end
	}
	return i
}

// clauses are where a clause may begin in s, behind its beginning.
func (r *reading) clauses(s span) []int {
	var list []int
	for i := s.from + 1; i < s.to; i++ {
		if r.tokens[i].before&comma != 0 {
			list = append(list, r.start(span{i, s.to}))
		}
	}
	return list
}

// read reads the line in a language, with so many steps at most.
func (r *reading) read(steps int) Reading {
	r.barred = false
	r.use(steps)
	got, ok := r.first(r.replace, r.forget, r.keep, r.behind, r.standing, r.order, r.correct, r.state, r.half)
	if ok || r.barred {
		return got
	}
	for _, s := range r.sentences {
		s.from = r.start(s)
		if r.begins("question", s) || r.begins("task", s) || r.has("none", s) {
			r.barred = true
		}
	}
	r.spent()
	return Reading{}
}

// wishes reads the line in a language that is hardly its own: as what is to be kept or forgotten, and
// nothing else.
func (r *reading) wishes() Reading {
	r.barred = false
	r.use(mostSteps)
	got, _ := r.first(r.replace, r.forget, r.keep, r.behind, r.standing, r.order)
	return got
}

// first is what the first act reads that finds something. ok is false if none does, or no steps are left.
func (r *reading) first(acts ...func() (Reading, bool)) (got Reading, ok bool) {
	for _, act := range acts {
		r.orders = false
		got, ok := act()
		if r.spent() {
			return Reading{}, false
		}
		if ok {
			got.Tongue = r.tongue.name
			return got, true
		}
	}
	return Reading{}, false
}

// spent reports whether no steps are left for the line. What did not fit may have fitted
// then, and what was not to fit as well: nothing that was found counts.
func (r *reading) spent() bool {
	if r.work.steps >= 0 {
		return false
	}
	r.barred = true
	return true
}

// keep reads "remember that ...".
func (r *reading) keep() (Reading, bool) {
	for k, s := range r.sentences {
		from := r.start(s)
		for n, i := range append([]int{from}, r.clauses(span{from, s.to})...) {
			here := span{r.placed(i, s.to), s.to}
			if i = here.from; here.empty() {
				continue
			}
			f, m, ok := r.list("keep").at(r.at(here), i)
			if !ok && n == 0 {
				f, m, ok = r.list("keep-first").at(r.at(here), i)
			}
			if !ok {
				f, m, ok = r.list("keep-bare").at(r.at(here), i)
				ok = ok && r.long(m.text) && !r.asks(s) // "remember the old printer?" looks back
			}
			if !ok || n > 0 && (r.has("none", span{s.from, i}) || r.begins("question", span{from, i})) {
				continue
			}
			text := m.text
			if text.empty() || r.begins("no-text", text) && !r.tells(text) {
				continue
			}
			if r.asks(s) && !r.begins("request", here) {
				continue
			}
			if text.to == s.to {
				text.to = r.onward(k)
			}
			if got, ok := r.made(Keep, f, text, m); ok {
				return got, true
			}
		}
	}
	return Reading{}, false
}

// tells reports whether a text that begins as a question does says something: "who signs
// the invoices is Petra", behind a colon.
func (r *reading) tells(text span) bool {
	return r.tokens[text.from].before&colon != 0 && r.begins("cleft", text) && !r.has("moment", text)
}

// long reports whether a text can be a statement without a word that announces one.
func (r *reading) long(s span) bool {
	if s.to-s.from < 3 {
		return false
	}
	return !dense(r.tokens[s.from].word) || s.to-s.from > 4
}

// onward is where what begins in sentence k ends: before the next sentence that says
// something else.
func (r *reading) onward(k int) int {
	for ; k+1 < len(r.sentences); k++ {
		s := r.sentences[k+1]
		s.from = r.start(s)
		if s.empty() || r.asks(s) || r.begins("task", s) || r.begins("question", s) || r.begins("keep", s) || r.begins("after", s) {
			break
		}
	}
	return r.sentences[k].to
}

// behind reads "..., remember that".
func (r *reading) behind() (Reading, bool) {
	for k, s := range r.sentences {
		from := r.start(s)
		for _, i := range append([]int{from}, r.clauses(span{from, s.to})...) {
			here := span{i, s.to}
			f, m, ok := r.list("after").at(r.at(here), i)
			if !ok || !r.ends(m.end, s.to) {
				continue
			}
			text := span{from, i}
			for j := i; j > from && r.tokens[j-1].to > 0 && r.tokens[j].before&comma == 0; j-- {
				text.to = j - 1 // what leads up to the clause
			}
			if text.empty() && k > 0 {
				text = r.sentences[k-1]
				if r.asks(text) {
					continue
				}
				text.from = r.start(text)
			}
			if text.empty() || r.begins("question", text) || r.has("none", text) {
				continue
			}
			if got, ok := r.made(Keep, f, text, match{}); ok {
				return got, true
			}
		}
	}
	return Reading{}, false
}

// ends reports whether nothing but what may stand at any end is between two tokens.
func (r *reading) ends(i, to int) bool {
	for i < to {
		_, m, ok := r.list("tail").at(r.at(span{i, to}), i)
		if !ok || m.end == i {
			return false
		}
		i = m.end
	}
	return true
}

// standing reads "from now on ...".
func (r *reading) standing() (Reading, bool) {
	r.orders = true
	for _, s := range r.sentences {
		from := r.start(s)
		here := span{from, s.to}
		if here.empty() || r.code || r.asks(s) || r.has("none", here) || r.begins("rid", here) {
			continue
		}
		f, m, i, ok := r.list("standing").in(r.at(here))
		if !ok || i > from && r.begins("question", here) {
			continue
		}
		if i == from {
			text := span{m.end, s.to}
			if text.empty() || r.begins("no-text", text) || r.begins("question", text) {
				continue
			}
			if got, ok := r.made(Keep, f, text, match{}); ok {
				return got, true
			}
			continue
		}
		if got, ok := r.made(Keep, f, here, match{}, span{i, m.end}); ok {
			return got, true
		}
	}
	return Reading{}, false
}

// order reads "always ...", "never ..." and "when I say X I mean Y".
func (r *reading) order() (Reading, bool) {
	r.orders = true
	for _, s := range r.sentences {
		from := r.start(s)
		here := span{r.placed(from, s.to), s.to}
		if here.empty() || r.code || r.asks(s) || r.has("none", here) || r.begins("rid", here) {
			continue
		}
		f, m, ok := r.list("order").at(r.at(here), here.from)
		if !ok {
			f, m, _, ok = r.list("lasting").in(r.at(here))
		}
		if !ok {
			f, m, ok = r.list("define").at(r.at(here), here.from)
		}
		if !ok {
			continue
		}
		text := here
		if !m.text.empty() {
			text = m.text
		}
		if got, ok := r.made(Keep, f, text, m); ok {
			return got, true
		}
	}
	return Reading{}, false
}

// replace reads "forget what I said about the port, it is 4712", which forgets nothing, and
// correct "no, the port is 4712 now".
func (r *reading) replace() (Reading, bool) { return r.corrects("replace") }

func (r *reading) correct() (Reading, bool) { return r.corrects("correct") }

func (r *reading) corrects(table string) (Reading, bool) {
	for _, s := range r.sentences {
		for _, from := range []int{s.from, r.start(s)} {
			here := span{from, s.to}
			if here.empty() || r.code || r.asks(s) {
				continue
			}
			f, m, ok := r.list(table).at(r.at(here), from)
			if !ok || r.has("none", here) {
				continue
			}
			text := m.text
			if text.empty() {
				text = here
			}
			text.from = r.start(text)
			if text.empty() || r.begins("no-text", text) || r.begins("task", text) || r.begins("question", text) {
				continue
			}
			if got, ok := r.made(Correct, f, text, m); ok {
				return got, true
			}
		}
	}
	return Reading{}, false
}

// forget reads "forget X".
func (r *reading) forget() (Reading, bool) {
	for _, s := range r.sentences {
		from := r.start(s)
		for n, i := range append([]int{from}, r.clauses(span{from, s.to})...) {
			here := span{i, s.to}
			if here.empty() || n > 0 && (r.has("none", span{from, i}) || r.begins("question", span{from, i})) {
				continue
			}
			f, m, ok := r.list("forget").at(r.at(here), i)
			if !ok || r.begins("none", here) || r.asks(s) && !r.begins("request", here) {
				continue
			}
			text := m.text
			if text.empty() && f.key {
				text = m.name
			}
			if text.empty() || r.begins("no-text", text) || r.begins("no-forget", text) {
				continue
			}
			if got, ok := r.made(Forget, f, text, m); ok {
				return got, true
			}
		}
	}
	return Reading{}, false
}

// half reads what sounds like a wish, and what it is about cannot be told.
func (r *reading) half() (Reading, bool) {
	for _, s := range r.sentences {
		here := span{r.start(s), s.to}
		if here.empty() || r.asks(s) || r.has("none", here) {
			continue
		}
		if r.begins("half", here) {
			return Reading{Act: Hint}, true
		}
	}
	return Reading{}, false
}

// made makes a reading of text, without what is cut out of it.
func (r *reading) made(act Act, f frame, text span, m match, cut ...span) (Reading, bool) {
	if act == Keep {
		text.from = r.led(text)
		if i := r.placed(text.from, text.to); i > text.from { // "for project tea: ..."
			on := r.led(span{i, text.to})
			if on > i || r.tokens[i].before&comma != 0 {
				text.from = on
			}
		}
	}
	for again := true; again; { // what may stand at any end
		again = false
		for i := text.from + 1; i < text.to; i++ {
			if _, t, ok := r.list("tail").at(r.at(span{i, text.to}), i); ok && t.end == text.to {
				text.to, again = i, true
				break
			}
		}
	}
	if act != Forget {
		for i := text.from; i < text.to; i++ {
			if c, t, ok := r.list("cut").at(r.at(text), i); ok && t.end > i && (c.scope == "" || c.scope == act.String()) {
				cut = append(cut, span{i, t.end})
				i = t.end - 1
			}
		}
	}
	content := r.slice(text, cut)
	if content == "" || !meaningful(content) {
		return Reading{}, false
	}
	if f.put != "" {
		content = f.put + " " + content
	}
	got := Reading{Act: act, Text: content, All: f.all}
	if !m.old.empty() {
		got.Old = r.slice(m.old, nil)
	}
	if act == Forget {
		r.means(&got, f, m, text)
		return got, true
	}
	got.Kind = r.kind(f, text)
	if act == Propose && got.Kind == memory.KindRule && f.kind == "" && !r.orders {
		got.Kind = memory.KindPref // a habit: nothing is asked of anybody
		if f, _, i, ok := r.list("kinds").earliest(r.at(text), memory.KindRule); ok && i == text.from && f.kind == memory.KindConvention {
			got.Kind = f.kind // of a team, or a project: "we never ..."
		}
	}
	got.Scope = r.scope(got.Kind, text)
	return got, true
}

// kind is the kind of memory that the words say.
func (r *reading) kind(f frame, text span) memory.Kind {
	if f.kind != "" {
		return f.kind
	}
	if f, _, _, ok := r.list("kinds").earliest(r.at(text), ""); ok {
		return f.kind
	}
	return memory.KindFact
}

// slice is a part of the line without what is cut out of it.
func (r *reading) slice(s span, cut []span) string {
	var b strings.Builder
	part := func(from, to int) {
		if from >= to {
			return
		}
		begin := r.tokens[from].from
		if from == s.from {
			begin = r.opened(from)
		}
		var end int
		if to < s.to {
			end = r.tokens[to].from
		} else {
			end = r.closed(to - 1)
		}
		b.WriteString(r.line[begin:end])
	}
	i := s.from
	for _, c := range cut {
		if c.from < i || c.to > s.to {
			continue
		}
		part(i, c.from)
		i = c.to
		if i < s.to { // what stands behind the words that go
			gap := r.line[r.tokens[i-1].to:r.tokens[i].from]
			if strings.ContainsAny(gap, ",;") && b.Len() > 0 {
				text := strings.TrimRight(b.String(), " ,;")
				b.Reset()
				b.WriteString(text + gap)
			}
		}
	}
	part(i, s.to)
	return strings.TrimSpace(strings.TrimRight(strings.TrimSpace(b.String()), ".,;:!?。！？，、…।"))
}

// opened is where what belongs to token i begins: at an opening quotation mark, a dash of
// an option, the dot of a file.
func (r *reading) opened(i int) int {
	least := 0
	if i > 0 {
		least = r.tokens[i-1].to
	}
	at := r.tokens[i].from
	for at > least && !strings.ContainsRune(" \t,;:!?=", rune(r.line[at-1])) && r.line[at-1] < 0x80 {
		at--
	}
	for _, q := range [...]string{"“", "„", "«", "「", "『"} {
		if strings.HasSuffix(r.line[least:at], q) {
			at -= len(q)
		}
	}
	return at
}

// closed is where what belongs to token i ends.
func (r *reading) closed(i int) int {
	most := len(r.line)
	if i+1 < len(r.tokens) {
		most = r.tokens[i+1].from
	}
	at := r.tokens[i].to
	for at < most && r.line[at] != ' ' && r.line[at] != '\t' {
		at++
	}
	return at
}

func meaningful(s string) bool { return len([]rune(s)) > 1 }
