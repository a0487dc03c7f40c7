package archtest

import "strings"

// A Command is one command of a console block in a Markdown file.
type Command struct {
	// Line is where the command stands in the file, counted from 1.
	Line int
	// Text is the command as typed, without the "$ " in front. A command that
	// goes on over several lines with "> " or a backslash is joined by newlines.
	Text string
	// Output is what the block shows below the command, line by line, without
	// line ends. A line "..." stands for any number of lines.
	Output []string
}

// ConsoleBlocks returns the commands of every block of md that is fenced as
// ```console, block by block, so that a test can run what the papers show. In
// such a block a line that begins with "$ " is a command, a line that begins
// with "> " continues it, and the rest is output. Other blocks are prose and are
// left out. A block without a command is returned as an empty element.
func ConsoleBlocks(md []byte) [][]Command {
	var blocks [][]Command
	for _, b := range fences(md) {
		if b.lang == "console" {
			blocks = append(blocks, commands(b))
		}
	}
	return blocks
}

// A fence is one fenced code block of a Markdown file.
type fence struct {
	lang  string
	line  int // of the first line inside
	lines []string
}

// fences returns the code blocks of md that are fenced by three or more
// backquotes. An unclosed block goes to the end, as it does on a page.
func fences(md []byte) []fence {
	var out []fence
	var open string
	for i, line := range strings.Split(string(md), "\n") {
		line = strings.TrimSuffix(line, "\r")
		trimmed := strings.TrimLeft(line, " ")
		ticks := trimmed[:len(trimmed)-len(strings.TrimLeft(trimmed, "`"))]
		switch {
		case open == "" && len(ticks) >= 3:
			open = ticks
			out = append(out, fence{lang: strings.TrimSpace(trimmed[len(ticks):]), line: i + 2})
		case open != "" && len(ticks) >= len(open) && strings.TrimSpace(trimmed) == ticks:
			open = ""
		case open != "":
			last := &out[len(out)-1]
			last.lines = append(last.lines, line)
		}
	}
	return out
}

func commands(b fence) []Command {
	cmds := []Command{}
	for i, line := range b.lines {
		n := len(cmds)
		switch text, isCommand := strings.CutPrefix(line, "$ "); {
		case isCommand:
			cmds = append(cmds, Command{Line: b.line + i, Text: text})
		case n == 0:
			// Output before the first command belongs to none.
		case len(cmds[n-1].Output) == 0 && strings.HasPrefix(line, "> "):
			cmds[n-1].Text += "\n" + line[2:]
		case len(cmds[n-1].Output) == 0 && strings.HasSuffix(cmds[n-1].Text, `\`):
			cmds[n-1].Text += "\n" + line
		default:
			cmds[n-1].Output = append(cmds[n-1].Output, line)
		}
	}
	return cmds
}
