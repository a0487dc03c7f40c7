package edit

import (
	"fmt"
	"strings"
)

// Answer is what a model is told of what was done, in the file called name.
func (r Result) Answer(name string) string {
	places := "1 place"
	if r.Places != 1 {
		places = fmt.Sprintf("%d places", r.Places)
	}
	text := fmt.Sprintf("done: %s, %s, +%d -%d", name, places, r.Added, r.Removed)
	if r.How == Exact {
		return text
	}
	text += "\nmatched " + r.How.String()
	if r.Now == "" {
		return text
	}
	return text + "; now reads:\n" + r.Now
}

// long is how many lines a file has that is not to be written anew lightly, and short how
// much of it a new text must have, in percent of its bytes.
const (
	long  = 200
	short = 60
)

// Doubt says why a new text for a whole file looks like a part of it, for the model that
// sent it; "" if it does not. It holds a place for code that was left out, or is much shorter
// than a long file was.
func Doubt(before, after string) string {
	if marker := leftOut(after); marker != "" && !strings.Contains(before, marker) {
		return fmt.Sprintf("not written: the content holds %q, and a file is written whole: use edit_file, or send all of it", marker)
	}
	lines := strings.Count(before, "\n")
	if lines <= long || len(after)*100 >= len(before)*short {
		return ""
	}
	return fmt.Sprintf("not written: the file has %d lines and the content %d: use edit_file for small changes, "+
		"or send the same again if all the rest is to go", lines, strings.Count(after, "\n"))
}

// leftOut is the first line of text that stands for code that was left out, "" if none does:
// "// ... existing code ...".
func leftOut(text string) string {
	for line := range strings.Lines(text) {
		bare := strings.ToLower(strings.Trim(line, " \t\r\n/*#-<>!{};%"))
		bare = strings.ReplaceAll(bare, "\u2026", "...")
		rest, ok := strings.CutPrefix(bare, "...")
		if !ok || !strings.HasSuffix(rest, "...") {
			continue
		}
		switch strings.TrimSpace(strings.Trim(rest, ".")) {
		case "existing code", "rest of code", "rest of the code", "rest of file", "rest of the file", "remaining code", "the rest of the code",
			"existing code here", "unchanged", "unchanged code", "existing", "rest unchanged", "code unchanged":
			return strings.TrimSpace(line)
		}
	}
	return ""
}

// Like is a new text for a whole file with the mark and the ends of lines that the file has, if
// the text has none of its own.
func Like(before, after string) string {
	b := newBody(before)
	if b.crlf && len(b.crs) > 0 && !strings.Contains(after, "\r\n") {
		after = strings.ReplaceAll(after, "\n", "\r\n")
	}
	if b.bom > 0 && !strings.HasPrefix(after, mark) {
		after = mark + after
	}
	return after
}
