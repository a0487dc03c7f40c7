package gate

import (
	"iter"
	"strings"
)

// CommandMark begins a line of an answer that offers a command line.
const CommandMark = "CMD: "

// Proposed returns the command lines that an answer offers, in order, byte for byte:
// what follows CommandMark at the very beginning of a line. Where it is indented,
// quoted, in a list or in a fenced block, it is text. It is for answers of a model;
// a tool or a document that says the same offers nothing.
func Proposed(answer string) []string {
	var list []string
	for line := range Unfenced(answer) {
		if command, ok := strings.CutPrefix(line, CommandMark); ok && strings.TrimSpace(command) != "" {
			list = append(list, command)
		}
	}
	return list
}

// Unfenced yields the lines of an answer that stand in no block of code, without their ends.
func Unfenced(answer string) iter.Seq[string] {
	return func(yield func(string) bool) {
		fence := ""
		for line := range strings.SplitSeq(answer, "\n") {
			line = strings.TrimSuffix(line, "\r")
			if mark := fenceOf(line); mark != "" {
				switch {
				case fence == "":
					fence = mark
				case mark[0] == fence[0] && len(mark) >= len(fence) && strings.TrimSpace(strings.TrimLeft(unquote(line), mark[:1])) == "":
					fence = ""
				}
				continue
			}
			if fence == "" && !yield(line) {
				return
			}
		}
	}
}

// fenceOf is the run of backticks or tildes with which a line begins or ends a block
// of code, also inside a quote or a list; "" if there is none. In doubt there is one:
// what stands in it is not offered.
func fenceOf(line string) string {
	s := unquote(line)
	for _, mark := range []string{"`", "~"} {
		rest := strings.TrimLeft(s, mark)
		if n := len(s) - len(rest); n >= 3 && (mark == "~" || !strings.Contains(rest, "`")) {
			return s[:n]
		}
	}
	return ""
}

// unquote is a line without what a quote or a list puts before it.
func unquote(line string) string {
	s := strings.TrimLeft(line, " \t>")
	for _, bullet := range []string{"- ", "* ", "+ "} {
		if rest, ok := strings.CutPrefix(s, bullet); ok {
			return strings.TrimLeft(rest, " \t>")
		}
	}
	digits := strings.TrimLeft(s, "0123456789")
	if rest, ok := strings.CutPrefix(digits, ". "); ok && len(digits) < len(s) {
		return strings.TrimLeft(rest, " \t>")
	}
	return s
}
