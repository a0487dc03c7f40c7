package programs

import "strings"

// A Level is as in package risk.
type Level uint8

// The levels, from the least.
const (
	Safe Level = iota
	Caution
	Danger
)

// A Word is one word of a simple command, without its quotes.
type Word struct {
	Text    string // what is not literal stands there as "$name" or "$()"
	Hole    bool   // part of it is not literal
	Subst   bool   // part of it is what a command prints
	Tainted bool   // part of it is a variable that the line itself sets from a command
	Secret  bool   // part of it is what a command prints that reads secrets
	Set     bool   // part of it is a variable that the line itself sets, to what is not known
	Given   bool   // part of it is a variable, of which the line says for sure what it holds
	Glob    bool   // it has an unquoted glob or brace
	Split   bool   // it may become several words, or none
	Found   string // it is where the shell finds this program, or nothing
	At, End int    // in the line, in bytes
}

// A Call is a simple command as it would run.
type Call struct {
	Words      []Word   // at least one
	Root       bool     // behind sudo and its like
	Fed        []Word   // the command that makes further words of it (find, or what stands before xargs)
	IsFed      bool     // it gets words that do not stand in the line
	Piped      bool     // it reads what another command prints
	Input      bool     // its standard input is redirected
	Doc        bool     // its standard input stands in the line, as it is
	Before     [][]Word // the commands before it in the pipe
	Project    string   // the file of the program, if it lies outside the usual directories
	TrustedGit bool
	Defined    bool // the line itself defines it: what it does is judged there
}

// An Act is a kind of Operation.
type Act uint8

// The acts.
const (
	Write  Act = iota // the file Words[0] is made or changed
	Remove            // Words[0] is removed; Deep: with all below it
	Alter             // rights or owner of Words[0] change; Deep: of all below it
	Run               // Words is a command
	Shell             // Text is shell code
	Send              // the file Words[0] leaves the machine
	Move              // Words[0] is moved away
)

// An Operation is something that a command does, which is as bad as what it is done to.
type Operation struct {
	Act   Act
	Words []Word // of Shell: what it is given as $1 and so on
	Text  string
	Deep  bool
	Root  bool
	Fed   []Word // as in Call
	IsFed bool
	Input bool // what it runs gets the standard input of the command
	Word  Word // the word to point at
	Away  bool // it runs in another directory: Dir, or one that is not known
	Dir   Word
	Later bool // it runs when other commands of the line have run
}

// An Effect is one thing that a command does, with the word at fault.
type Effect struct {
	Level Level
	Why   string
	Word  Word
}

// A Result is what is known of a call.
type Result struct {
	Effects    []Effect
	Operations []Operation
	Settings   []Setting
	Obeys      []Obeyed
}

// An Obeyed is files of the directory, or of one above it, that the call obeys as code.
type Obeyed struct {
	Names []string
	Word  Word
}

// A Setting is a variable that a wrapper sets for what it runs.
type Setting struct {
	Name, Value string
	Word        Word
	Unset       bool // it is taken away; without a name: all are
}

// A findings is a call that is being looked at, and what is known of it so far.
//
// Nothing that was found can be taken back: effects are only ever added, so that the
// order of checks cannot be used, and a check that finds nothing says nothing.
type findings struct {
	Elsewhere bool // git works in another directory
	Call
	Operations []Operation
	Settings   []Setting
	Obeys      []Obeyed
	Name       string
	effects    []Effect
}

// Result returns what has been found so far.
func (l *findings) Result() Result {
	return Result{Effects: append([]Effect(nil), l.effects...), Operations: l.Operations, Settings: l.Settings, Obeys: l.Obeys}
}

// Worst returns the highest level of the effects so far.
func (l *findings) Worst() Level {
	worst := Safe
	for _, e := range l.effects {
		worst = max(worst, e.Level)
	}
	return worst
}

// Add takes over what was found by another look.
func (l *findings) Add(r Result) {
	l.effects = append(l.effects, r.Effects...)
	l.Operations = append(l.Operations, r.Operations...)
	l.Settings = append(l.Settings, r.Settings...)
	l.Obeys = append(l.Obeys, r.Obeys...)
}

// Obey adds that the call is harmless where the directory and those above it have no file
// of one of names.
func (l *findings) Obey(w Word, names ...string) { l.Obeys = append(l.Obeys, Obeyed{names, w}) }

// Say adds an effect; Safe is none.
func (l *findings) Say(level Level, why string, w Word) {
	if level > Safe {
		l.effects = append(l.effects, Effect{level, why, w})
	}
}

// Caution adds an effect of that level.
func (l *findings) Caution(why string, w Word) { l.Say(Caution, why, w) }

// Danger adds an effect of that level.
func (l *findings) Danger(why string, w Word) { l.Say(Danger, why, w) }

// Operation adds what the call does to the file w.
func (l *findings) Operation(act Act, w Word) {
	l.Operations = append(l.Operations, Operation{Act: act, Words: []Word{w}, Word: w, Root: l.Root})
}

// Run hands on the command that words are; none is nothing.
func (l *findings) Run(words []Word, root bool) {
	if len(words) > 0 {
		l.Operations = append(l.Operations, Operation{Act: Run, Words: words, Word: words[0], Root: root || l.Root, Fed: l.Fed, IsFed: l.IsFed, Input: true})
	}
}

// RunFed hands on a command that gets words from elsewhere.
func (l *findings) RunFed(words, fed []Word) {
	if len(words) > 0 {
		l.Operations = append(l.Operations, Operation{Act: Run, Words: words, Word: words[0], Root: l.Root, Fed: fed, IsFed: true})
	}
}

// Shell hands on a text that a shell runs.
func (l *findings) Shell(text string, w Word, root bool) {
	if w.Subst || w.Tainted || w.Set {
		l.Danger("runs as code what is not known before", w)
	}
	l.Operations = append(l.Operations, Operation{Act: Shell, Text: text, Word: w, Root: root || l.Root, Input: true, IsFed: l.IsFed, Fed: l.Fed})
}

// Args returns the words behind the name.
func (l *findings) Args() []Word { return l.Words[1:] }

// NameOf returns the name by which a program is known, and where it lies if that is not
// one of the usual directories.
func NameOf(text string) (name, elsewhere string) {
	i := strings.LastIndexByte(text, '/')
	if i < 0 {
		return strings.TrimSuffix(text, ".exe"), ""
	}
	switch text[:i] {
	case "/bin", "/usr/bin", "/usr/local/bin", "/sbin", "/usr/sbin", "/usr/local/sbin", "/opt/homebrew/bin", "/usr/libexec":
		return text[i+1:], ""
	}
	return text[i+1:], text
}

// textOf joins the words as they would be shown.
func textOf(words []Word) string {
	var b strings.Builder
	for i, w := range words {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(w.Text)
	}
	return b.String()
}

// isOneOf says that s is one of words.
func isOneOf(s string, words ...string) bool {
	for _, w := range words {
		if s == w {
			return true
		}
	}
	return false
}

// HasAny says that s contains one of parts.
func HasAny(s string, parts ...string) bool {
	for _, p := range parts {
		if strings.Contains(s, p) {
			return true
		}
	}
	return false
}

// IsFlag says that a word is an option, by its first letter.
func IsFlag(w Word) bool { return len(w.Text) > 1 && w.Text[0] == '-' }

// HasPrefixAny says that s begins with one of prefixes.
func HasPrefixAny(s string, prefixes ...string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

// hasAnyFold is HasAny for text in any case; parts are in lower case.
func hasAnyFold(text string, parts ...string) bool { return HasAny(strings.ToLower(text), parts...) }

// Bounded says that the find that feeds a command begins in one named directory.
func (l *findings) Bounded() bool {
	if len(l.Fed) < 2 {
		return false
	}
	if name, _ := NameOf(l.Fed[0].Text); name != "find" {
		return false
	}
	dir := l.Fed[1].Text
	for i, w := range l.Fed {
		if w.Text == "-maxdepth" && i+1 < len(l.Fed) && isOneOf(l.Fed[i+1].Text, "1", "0") {
			return true
		}
	}
	return !IsFlag(l.Fed[1]) && !l.Fed[1].Hole && dir != "" && !strings.ContainsAny(dir[:1], "./~$") && dir != "(" && dir != "!"
}
