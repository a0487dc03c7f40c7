package why

import (
	"cmp"
	"fmt"
	"strings"

	"ken/internal/attach"
	"ken/internal/memory"
	"ken/internal/session"
	"ken/internal/termsafe"
	"ken/internal/trace"
	"ken/internal/view"
)

// widest is the most of a text that is quoted, in cells.
const widest = 120

// Text is a report for a person, without a final line end.
func Text(r Report) string {
	lines := []string{head(r)}
	if r.N > 0 && len(r.Refs()) > 0 { // of an answer that is still to come nothing is known
		lines = append(lines, shapedLine(r))
	}
	if line := leftLine(r); line != "" {
		lines = append(lines, line)
	}
	if line := originLine(r.Origin); line != "" {
		lines = append(lines, line)
	}
	if r.Standing != nil {
		lines = append(lines, standingLine(*r.Standing))
	}
	if len(r.Attached) > 0 {
		lines = append(lines, attachedLine(r.Attached))
	}
	if len(r.Environment) > 0 {
		lines = append(lines, termsafe.Line("environment: "+strings.Join(r.Environment, "; ")))
	}
	for _, d := range r.Docs {
		lines = append(lines, docLine(d))
	}
	for _, e := range r.Provenance {
		title := "recalled for the question"
		if e.Source == SourceBackground {
			title = "in the start-up block"
		}
		lines = append(lines, fmt.Sprintf("%s (%d of %s)", title, e.Tokens, view.Count(e.Budget, "token")))
		for _, it := range e.Items {
			lines = append(lines, itemLines(it)...)
		}
	}
	if len(r.Passed) > 0 {
		lines = append(lines, "left out")
		for _, p := range r.Passed {
			lines = append(lines, passedLine(p))
		}
	}
	return strings.Join(lines, "\n")
}

// head says how many memories shaped the answer.
func head(r Report) string {
	n := len(r.Refs())
	what := view.Count(n, "memory")
	if n != 1 {
		what = fmt.Sprintf("%d memories", n)
	}
	if n == 0 {
		what = "no memory"
	}
	if r.N == 0 { // there is no answer yet
		return what + " for this answer"
	}
	at := ""
	if r.TS != "" {
		at = " (" + r.TS + ")"
	}
	return fmt.Sprintf("answer %s%s: %s", termsafe.Line(name(r)), at, what)
}

// leftLine says that an answer is not in the context any more, and which one stands in its
// place; "" if it is in it.
func leftLine(r Report) string {
	switch left := session.Left(r.Left); {
	case left == "":
		return ""
	case left == session.LeftReplaced && r.By > 0:
		by := r
		by.N = r.By
		return termsafe.Line("not in the context: the question was asked again, and " + name(by) + " stands in its place")
	case left == session.LeftReplaced:
		return "not in the context: the question was asked again"
	case left == session.LeftDropped:
		return "not in the context: it was dropped"
	default:
		return "not in the context: " + left.Text()
	}
}

// originLine says that the model read what is trusted less than its own words; "" if it did not.
func originLine(origin string) string {
	what := ""
	switch o := memory.Origin(origin); {
	case o.Rank() <= memory.OriginModel.Rank():
		return ""
	case o == memory.OriginTool:
		what = "what commands printed went along"
	case o == memory.OriginImport:
		what = "what other programs recorded went along"
	case o == memory.OriginExternal:
		what = "text from outside went along"
	default:
		what = "the words of another went along"
	}
	return termsafe.Line("origin " + origin + ": " + what + ", and what is suggested from this answer counts as that")
}

// name is the reference of the answer.
func name(r Report) string {
	if r.Session == "" {
		return fmt.Sprint(r.N)
	}
	return fmt.Sprintf("%s:%d", r.Session, r.N)
}

// attachedLine says which files went along.
func attachedLine(files []File) string {
	var each []string
	for _, f := range files {
		what := f.Kind
		if f.Bytes > 0 {
			what += ", " + view.Thousands(int(f.Bytes), "byte")
		}
		each = append(each, fmt.Sprintf("%s (%s)", termsafe.Line(f.Name), what))
	}
	return "attached: " + strings.Join(each, ", ")
}

// standingLine says what the conversation began with.
func standingLine(s Standing) string {
	line := "session context: "
	switch s.Working {
	case trace.Sent:
		line += "working memory of " + day(s.Updated) + ", until " + day(s.Expires)
	case trace.Expired:
		line += "the working memory expired on " + day(s.Expires) + ", not sent"
	case trace.Unread:
		line += "working.md is no working memory, not sent"
	default:
		line += "no working memory"
	}
	if s.Profile {
		line += "; your profile"
	} else {
		line += "; no profile"
	}
	if s.Account == "" {
		return line
	}
	line += "\nwhere the last conversation stopped, a model's summary of " + day(s.Written)
	switch {
	case s.Account == trace.Unseen:
		line += ", not sent: you had not seen it, and text from outside may have been read there"
	case s.Outside:
		line += "; text from outside may have been read there"
	}
	if s.Said != "" {
		line += ":\n    " + strings.ReplaceAll(termsafe.Clean(s.Said), "\n", "\n    ")
	}
	return line
}

// docLine says which file for agents went along.
func docLine(d Doc) string {
	if d.Skill != "" {
		return skillLine(d)
	}
	size := attach.Size(int64(d.Of))
	if d.Bytes < d.Of {
		size += ", the first " + attach.Size(int64(d.Bytes))
	}
	return termsafe.Line(d.File + " of this repository (" + size + "), read as you let it in")
}

// skillLine says which skill went along, or was loaded by the model.
func skillLine(d Doc) string {
	if d.File == "" {
		return termsafe.Line("the skill " + d.Skill + ", which the model loaded")
	}
	size := attach.Size(int64(d.Of))
	if d.Bytes < d.Of {
		size += ", the first " + attach.Size(int64(d.Bytes))
	}
	from := "of this repository, as you let it in"
	if d.Own {
		from = "of yours"
	}
	return termsafe.Line("the skill " + d.Skill + " " + from + " (" + size + ")")
}

// itemLines are a memory with its reasons, and what its score is made of.
func itemLines(it Ground) []string {
	ref := "- [" + termsafe.Line(it.Ref) + "] "
	about := []string{}
	if it.Kind != "" {
		about = append(about, it.Kind, it.Phase, day(it.TS), it.Scope)
	}
	about = append(about, view.Count(it.Tokens, "token"))
	text := view.Excerpt(it.Content, widest)
	switch {
	case it.Kind == "":
		text = cmp.Or(it.Since, "not to be read now")
	case it.Since != "":
		text += " - " + it.Since
	}
	lines := []string{ref + text + " (" + termsafe.Line(strings.Join(about, ", ")) + ")"}
	why := it.Why
	if it.Source != nil && it.Source.Session != "" && it.Source.Turn > 0 {
		why += fmt.Sprintf("; said in %s:%d", it.Source.Session, it.Source.Turn)
	}
	lines = append(lines, "    "+termsafe.Line(why))
	for _, line := range it.Basis.Lines() {
		lines = append(lines, "    "+line)
	}
	if it.Score != nil {
		lines = append(lines, "    "+termsafe.Line(it.Parts.Text(*it.Score)))
	}
	return lines
}

// passedLine is a memory that was left out.
func passedLine(p Passed) string {
	about := ""
	if p.Kind != "" {
		about = " (" + p.Kind + ", " + p.Phase + ")"
	}
	why := p.Reason
	if p.In == SourceBackground {
		why += " (start-up block)"
	}
	if p.Since != "" {
		why += "; " + p.Since
	}
	return termsafe.Line("- [" + p.Ref + "]" + about + ": " + why)
}
