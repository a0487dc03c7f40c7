package markdown

import "strings"

// Blocks returns what stands in the fenced blocks of code of a text, in their order, without the
// indentation that the fence has; each ends with a line end unless it is empty. One without an end
// goes to the end of the text.
func Blocks(text string) []string {
	var blocks []string
	var b strings.Builder
	open, indent := "", 0
	for line := range strings.Lines(text) {
		s := strings.TrimLeft(line, " \t")
		mark := fenceOf(s)
		switch {
		case open == "" && mark != "":
			open, indent = mark, len(line)-len(s)
			b.Reset()
		case open == "":
		case mark != "" && mark[0] == open[0] && len(mark) >= len(open) && strings.TrimSpace(s) == mark:
			blocks, open = append(blocks, b.String()), ""
		default:
			b.WriteString(line[min(indent, len(line)-len(s)):])
		}
	}
	if open != "" {
		blocks = append(blocks, b.String())
	}
	for i, block := range blocks {
		if block != "" && !strings.HasSuffix(block, "\n") {
			blocks[i] += "\n"
		}
	}
	return blocks
}

// fenceOf is the mark that a line begins with if it is a fence: three or more backticks or tildes;
// behind backticks no other stands on the line, which would be code in a sentence.
func fenceOf(line string) string {
	for _, c := range []string{"`", "~"} {
		rest := strings.TrimLeft(line, c)
		if n := len(line) - len(rest); n >= 3 && (c == "~" || !strings.Contains(rest, c)) {
			return line[:n]
		}
	}
	return ""
}
