package teach

import (
	"strings"

	"ken/internal/memory"
)

// placed is where what begins at token i goes on behind where it holds: "in this repo".
func (r *reading) placed(i, to int) int {
	if i < to {
		if _, m, ok := r.list("scope").at(r.at(span{i, to}), i); ok && m.end < to {
			return r.start(span{m.end, to})
		}
	}
	return i
}

// means reads of what is to be forgotten whether it is what has a key, or all of a place.
func (r *reading) means(got *Reading, f frame, m match, text span) {
	if f.key && !m.name.empty() {
		got.Key = r.name(m.name)
		return
	}
	n, m, ok := r.list("named").at(r.at(text), text.from)
	switch {
	case !ok || m.end != text.to:
	case n.key:
		got.Key = r.name(m.name)
	default:
		got.Scope = r.scopeOf(n, m)
	}
}

// scope is where something holds, as the line says it. What has a name counts where it
// leads up to the text, and behind one that is for a place: in "Anna works in project tea"
// it is part of what is said.
func (r *reading) scope(kind memory.Kind, text span) string {
	of := span{0, len(r.tokens)}
	for _, s := range r.sentences {
		if s.from <= text.from && text.from < s.to {
			of = s
		}
	}
	for i := of.from; i < of.to; i++ {
		f, m, ok := r.list("scope").at(r.at(of), i)
		if !ok || m.name.empty() {
			continue
		}
		ends := m.end == of.to || r.tokens[m.end].before&comma != 0 || r.ends(m.end, of.to)
		if i <= text.from || ends && (r.orders || kind.OfWork() || kind == memory.KindRule || kind == memory.KindPref) {
			return r.scopeOf(f, m)
		}
	}
	whole := r.at(span{0, len(r.tokens)})
	for i := range r.tokens {
		if f, m, ok := r.list("scope").at(whole, i); ok && m.name.empty() {
			return f.scope
		}
	}
	return ""
}

// scopeOf is the scope that a frame says, with the name in it.
func (r *reading) scopeOf(f frame, m match) string {
	if m.name.empty() {
		return f.scope
	}
	return f.scope + ":" + r.name(m.name)
}

// name is a name as it was typed.
func (r *reading) name(s span) string {
	const around = "\"'`“”„«»「」『』()[]"
	return strings.TrimLeft(strings.TrimRight(r.line[r.opened(s.from):r.closed(s.to-1)], around+",;:.!?。！？，、…"), around)
}

// led is where a text begins behind what leads over to it.
func (r *reading) led(text span) int {
	for text.from < text.to {
		_, l, ok := r.list("link").at(r.at(text), text.from)
		if !ok || l.end >= text.to || l.end == text.from {
			break
		}
		text.from = l.end
	}
	return text.from
}
