package gate

import (
	"iter"
	"strings"
)

// CommandMark is how a line of an answer begins that offers a command line.
const CommandMark = "CMD: "

// Proposed returns the command lines that an answer of a model offers, in order, byte for byte:
// what follows CommandMark at the very beginning of a line. The same words are text if they are
// indented, quoted, in a list or in a fenced block. What a tool or a document says offers nothing.
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

// fenceOf returns the backticks or tildes with which a line begins or ends a block of code, also
// inside a quote or a list; "" if there are none. In doubt there are some, because the text in a
// block is not offered.
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
