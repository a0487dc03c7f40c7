package risk

import (
	"cmp"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"ken/internal/risk/programs"
)

// MaxLine is the longest line that Judge looks into, in bytes. A longer one is a danger: nobody
// reads it before saying yes.
const MaxLine = 64 << 10

const (
	maxCommands = 150  // simple commands that are looked into; more are a danger
	maxWords    = 1000 // of a simple command
	maxNesting  = 14   // shells in shells
	maxOpen     = 400  // brackets that may stand in a line; the parser recurses
	maxMarks    = 6000 // characters that mean something to a shell
)

// Judge returns what line could do if it ran at here. It never fails and never panics. What it does
// not understand is at least a caution.
func Judge(line string, here Here) (v Assessment) {
	defer func() {
		if recover() != nil { // a fault of ours, or of the parser, lets nothing pass
			v = Assessment{Level: Danger, Reasons: []Reason{{Danger, whyFault, clip(line), 0}}}
		}
	}()
	j := newJudge(line, here)
	if len(line) > MaxLine {
		j.reasons = []Reason{{Danger, "longer than anybody reads", clip(line), 0}}
		return j.verdict()
	}
	for _, h := range hiddenParts(line) {
		j.reasons = append(j.reasons, Reason{Danger, h.Why, line[h.At:h.End], h.At})
	}
	j.script(line, scene{})
	return j.verdict()
}

func newJudge(line string, here Here) *judge {
	return &judge{
		line: line, here: here, paths: pathDirs{Dir: here.Dir, Home: here.Home}, wrote: map[string]bool{},
		dirs: []string{here.Dir}, stood: []string{here.Dir},
	}
}

// whyFault is the reason of a verdict that could not be reached.
const whyFault = "ken could not judge this"

// clip is the beginning of a line, for a token.
func clip(line string) string {
	const most = 80
	if len(line) <= most {
		return line
	}
	cut := most
	for cut > 0 && line[cut]&0xc0 == 0x80 {
		cut--
	}
	return line[:cut]
}

// A judge looks at one line.
type judge struct {
	line     string
	here     Here
	paths    pathDirs
	reasons  []Reason
	commands []Simple
	count    int                                     // simple commands seen, at any depth
	read     int                                     // commands seen that read secrets
	written  []string                                // files that the line writes, as paths can be compared, in order
	hot      map[string]bool                         // those of them that hold what is secret
	added    bool                                    // something secret was added to git
	remote   bool                                    // git was given a remote
	memo     map[held]values                         // what names may hold, as far as it was looked up
	lookups  int                                     // how often that was done
	cuts     int                                     // how often a name was met that was being looked up
	sourced  map[*syntax.Stmt]bool                   // lists of which it was asked whether they print secrets
	trees    int                                     // removals of a directory with all below it
	wrote    map[string]bool                         // files that the line makes, as paths can be compared
	dirs     []string                                // where the line may stand at the moment, the likeliest first; "" is not known
	stood    []string                                // where it may have stood
	moved    bool                                    // it may stand elsewhere than where it began
	later    []func()                                // judges again what runs later than it stands
	flow     *flow                                   // of the text that is judged
	pick     pick                                    // what names stand for at the moment
	leaked   map[string][]programs.Word              // what texts in the line set, as far as they were judged
	open     map[string]programs.Word                // files that the line opened under a number
	aliases  map[string]string                       // what the line makes an alias
	tries    int                                     // ways beside the first in which commands were judged
	made     int                                     // bytes of words that were written out
	full     bool                                    // more were asked for than there may be
	known    func(text string, at int, value string) // for tests: called with each value that counts as known
}

// A scene is where a command stands.
type scene struct {
	inner    bool // in a string of the line: reasons point at the word from to end
	from, to int
	depth    int
	root     bool
	piped    bool
	input    bool
	before   [][]programs.Word
	fed      []programs.Word
	isFed    bool
	inputs   []programs.Word // files that the command is fed
	doc      *programs.Word  // what the command reads, if it stands in the line
	reads    bool            // the command is read, whose line IFS takes apart
	given    []programs.Word // what a text is given as $1 and so on
	names    bool            // of what it prints only what stands before "=" goes on, or how much it is
	behind   bool            // it is run by another program, which knows no function of the line
	around   bool            // it is not a plain command of the line
	into     *[]Simple       // where commands are listed
}

func (j *judge) verdict() Assessment {
	slices.SortStableFunc(j.reasons, func(a, b Reason) int {
		if c := cmp.Compare(b.Level, a.Level); c != 0 {
			return c
		}
		return cmp.Compare(a.At, b.At)
	})
	seen := map[Reason]bool{}
	j.reasons = slices.DeleteFunc(j.reasons, func(r Reason) bool {
		again := seen[r]
		seen[r] = true
		return again
	})
	v := Assessment{Reasons: j.reasons, Commands: j.commands}
	if len(v.Reasons) > 0 {
		v.Level = v.Reasons[0].Level
	}
	slices.SortStableFunc(v.Commands, func(a, b Simple) int { return cmp.Compare(a.At, b.At) })
	return v
}

// say adds a reason for the bytes at to end of the text of s.
func (j *judge) say(level Level, why string, s scene, at, end int) {
	if level == Safe {
		return
	}
	if s.inner {
		at, end = s.from, s.to
	}
	at = min(max(at, 0), len(j.line))
	end = min(max(end, at), len(j.line))
	j.reasons = append(j.reasons, Reason{level, why, j.line[at:end], at})
}

func (j *judge) node(level Level, why string, s scene, n syntax.Node) {
	j.say(level, why, s, int(n.Pos().Offset()), int(n.End().Offset()))
}

// levelSince is the highest level among the reasons from n on.
func (j *judge) levelSince(n int) Level {
	level := Safe
	for _, r := range j.reasons[n:] {
		level = max(level, r.Level)
	}
	return level
}

// script judges a text as a shell would read it: the line, or a string in it.
func (j *judge) script(text string, s scene) {
	if s.depth > maxNesting {
		j.say(Danger, "a shell in a shell in a shell, too deep to look into", s, 0, len(text))
		return
	}
	if why := tooMuch(text); why != "" {
		j.say(Danger, why, s, 0, len(clip(text)))
		return
	}
	if s.inner {
		for _, h := range hiddenParts(text) {
			j.say(Danger, h.Why, s, h.At, h.End)
		}
	}
	lang := syntax.LangBash
	if j.here.POSIX {
		lang = syntax.LangPOSIX
	}
	file, err := syntax.NewParser(syntax.Variant(lang)).Parse(strings.NewReader(text), "")
	if err != nil {
		j.say(Caution, "the shell's grammar does not know this", s, 0, len(clip(text)))
		j.rough(text, s)
		return
	}
	s.around = s.around || len(file.Stmts) != 1
	j.text(text, file, s)
}

// text judges what was parsed, with what it sets itself.
func (j *judge) text(text string, file *syntax.File, s scene) {
	outer, later := j.flow, len(j.later)
	j.flow = flowOf(file, outer, s.given)
	j.flow.text = text
	s.given, s.behind = nil, false
	for _, n := range j.flow.twice {
		j.node(Danger, "evaluates a subscript again, with the commands in it", s, n)
	}
	for _, n := range j.flow.doubts {
		j.node(Caution, "evaluates as arithmetic what is not known to be a number", s, n)
		if j.flow.hidesCommand() {
			j.node(Danger, "a command hidden in text that is evaluated", s, n)
		}
	}
	j.stmts(file.Stmts, s)
	j.again(later)
	if outer != nil && outer.wild && len(j.flow.names) > 0 {
		j.memo = nil // eval, and what is like it, sets what is outside
		if j.leaked == nil {
			j.leaked = map[string][]programs.Word{}
		}
		for name := range j.flow.names {
			vals, _, _ := j.values(name)
			if len(j.leaked[name]) < maxValues {
				j.leaked[name] = append(slices.Clip(j.leaked[name]), vals...)
			}
		}
	}
	j.flow = outer
}

// tooMuch says why text is not given to the parser, which recurses.
func tooMuch(text string) string {
	open, marks := 0, 0
	var kinds [256]uint8
	for _, c := range []byte("({`[") {
		kinds[c] = 2
	}
	for _, c := range []byte(")}]$;|&<>!?\n+~") {
		kinds[c] = 1
	}
	kinds['-'] = 3
	for i := range len(text) {
		switch kinds[text[i]] {
		case 0:
		case 1:
			marks++
		case 2:
			open++
			marks++
		case 3:
			if i > 0 && (text[i-1] == '-' || text[i-1] == ' ' && i > 1 && text[i-2] == '-') {
				marks++
			}
		}
	}
	for _, word := range []string{"if", "while", "until", "for", "case", "time", "coproc", "select", "function"} {
		if len(text) > 1<<10 {
			open += strings.Count(text, word+" ") / 4
		}
	}
	switch {
	case open > maxOpen:
		return "more brackets than anybody follows"
	case marks > maxMarks:
		return "more operators than anybody follows"
	}
	return ""
}

// rough raises the level of a text that cannot be parsed, piece by piece: it finds
// what would be a danger, and never that something is safe.
func (j *judge) rough(text string, s scene) {
	s.inner, s.around = true, true
	if s.to == 0 {
		s.to = len(clip(text))
	}
	var none []Simple
	s.into = &none
	j.statement(text, s)
	pieces := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(";|&\n()`{}", r) })
	for _, piece := range pieces[:min(len(pieces), maxCommands/2)] {
		var words []programs.Word
		for _, f := range strings.Fields(strings.NewReplacer(`'`, " ", `"`, " ", `\`, "").Replace(piece)) {
			if len(words) == 0 && (in(f, "$", "!", "then", "do", "else", "if", "while", "#", "[", "[[", "-") || strings.Contains(f, "=") || f[0] == '$' || strings.ContainsAny(f, "<>*?")) {
				continue
			}
			words = append(words, programs.Word{Text: f, Hole: strings.Contains(f, "$"), Glob: strings.ContainsAny(f, "*?[")})
		}
		if len(words) > 0 {
			s.piped = len(pieces) > 1 && strings.Contains(text, "|")
			j.simple(words, nil, s)
		}
	}
	if strings.Contains(text, "/dev/tcp/") || hasShellPipe(text) {
		j.say(Danger, "runs what it is fed, as far as it can be read", s, 0, 0)
	}
}

func hasShellPipe(text string) bool {
	t := strings.ReplaceAll(text, " ", "")
	for _, p := range []string{"|sh", "|bash", "|zsh", "|sudosh", "|sudobash", "|python", "|perl"} {
		if strings.HasSuffix(t, p) {
			return true
		}
	}
	return false
}

func in(s string, words ...string) bool { return slices.Contains(words, s) }
