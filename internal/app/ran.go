package app

import (
	"path"
	"slices"
	"strings"
	"unicode"

	"ken/internal/memory"
	"ken/internal/risk"
)

// mostPrograms is the most programs that a memory is tagged with.
const mostPrograms = 4

// ShellTags are the tags of a memory that comes from what a shell ran: "shell", and the names of the programs. lines ran before
// it was said, since the question before. It comes from them if it is about the work, or names one of
// the programs; else there are no tags.
func ShellTags(kind memory.Kind, text string, lines []string) []string {
	var programs []string
	for _, line := range lines {
		programs = programsIn(programs, risk.Judge(line, risk.Here{}).Commands)
	}
	named := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("._+-", r)
	})
	about := func(program string) bool { return slices.Contains(named, program) }
	if len(lines) == 0 || !kind.OfWork() && !slices.ContainsFunc(programs, about) {
		return nil
	}
	return append([]string{"shell"}, programs[:min(len(programs), mostPrograms)]...)
}

// programsIn adds the programs of commands at any depth to list, each once.
func programsIn(list []string, commands []risk.Simple) []string {
	for _, c := range commands {
		if len(c.Argv) > 0 && c.Known[0] {
			name := strings.ToLower(path.Base(c.Argv[0]))
			if isProgram(name) && !slices.Contains(list, name) {
				list = append(list, name)
			}
		}
		list = programsIn(list, c.Runs)
	}
	return list
}

// isProgram reports whether a word is like the name of a program, and no text.
func isProgram(name string) bool {
	return len(name) <= 32 && strings.IndexFunc(name, unicode.IsLetter) >= 0 && strings.IndexFunc(name, func(r rune) bool {
		return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("._+-", r)
	}) < 0
}
