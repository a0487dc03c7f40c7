package programs

import (
	_ "embed"
	"strings"
	"sync"

	"ken/internal/risk/programs/call"
)

//go:embed table.txt
var tableText string

// A row is what is known of a program, or of one of its subcommands.
//
//	NAMES [SUB...]: LEVEL FLAGS... ; WHY
//
// NAMES and SUB are alternatives, apart by "|". In SUB a "*" is any word, at an end of
// one any beginning or ending; "..SUB" is found anywhere among the first words, "-x"
// is an option anywhere, "-" no word at all. Of two rows the one that says more holds,
// of two without SUB the later. LEVEL is s, c
// or d, or w for a wrapper: what stands behind it is a command.
//
// FLAGS: "*" any flag; "-abc" flags without a value; "-k:" and "--long:" with one; a
// suffix says what a flag makes of the command: "=c" caution, "=d" danger, "=w" its
// value is a file that is written. "max=N" words beyond which it is a caution,
// "op=c" a level of any word, "skip=N" words of a wrapper before the command,
// "alone" a flag of SUB is the only word, "single" flags are long with one dash, "set" a wrapper takes NAME=value, "root" it
// gives other rights.
type row struct {
	subs    [][]string
	level   call.Level
	wrapper bool
	anyFlag bool
	flags   map[string]rule
	spec    call.Spec
	max     int // -1: as many as one likes
	op      call.Level
	skip    int
	set     bool
	root    bool
	alone   bool
	why     string
}

// A rule is what a flag makes of a command.
type rule struct {
	level call.Level
	arg   bool
	write bool
}

// rows are read on first use.
var rows = sync.OnceValue(func() map[string][]row {
	out := map[string][]row{}
	for line := range strings.Lines(tableText) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		head, rest, ok := strings.Cut(line, ": ")
		if !ok {
			panic("risk: table: " + line)
		}
		words := strings.Fields(head)
		r := readRow(words[1:], rest)
		for _, name := range strings.Split(words[0], "|") {
			out[name] = append(out[name], r)
		}
	}
	return out
})

func readRow(subs []string, rest string) row {
	rest, why, _ := strings.Cut(rest, ";")
	r := row{flags: map[string]rule{}, max: -1, why: strings.TrimSpace(why)}
	for _, s := range subs {
		r.subs = append(r.subs, strings.Split(s, "|"))
	}
	fields := strings.Fields(rest)
	switch fields[0] {
	case "w":
		r.wrapper, r.spec.First = true, true
	default:
		r.level = levelOf(fields[0])
	}
	for _, f := range fields[1:] {
		switch {
		case f == "*":
			r.anyFlag = true
		case f == "single":
			r.spec.Single = true
		case f == "set":
			r.set = true
		case f == "alone":
			r.alone = true
		case f == "root":
			r.root = true
		case strings.HasPrefix(f, "max="):
			r.max = int(f[4] - '0')
		case strings.HasPrefix(f, "skip="):
			r.skip = int(f[5] - '0')
		case strings.HasPrefix(f, "op="):
			r.op = levelOf(f[3:])
		default:
			r.addFlag(f)
		}
	}
	return r
}

func levelOf(s string) call.Level { return call.Level(strings.Index("scd", s)) }

func (r *row) addFlag(f string) {
	f, effect, _ := strings.Cut(f, "=")
	u := rule{write: effect == "w"}
	if effect == "c" || effect == "d" {
		u.level = levelOf(effect)
	}
	if strings.HasPrefix(f, "--") || r.spec.Single {
		f, u.arg = strings.CutSuffix(f, ":")
		u.arg = u.arg || u.write
		r.flags[f] = u
		if u.arg {
			r.spec.Longs = append(r.spec.Longs, f)
		}
		return
	}
	for i := 1; i < len(f); i++ {
		if f[i] == ':' {
			continue
		}
		u.arg = u.write || i+1 < len(f) && f[i+1] == ':'
		r.flags["-"+f[i:i+1]] = u
		if u.arg {
			r.spec.Args += f[i : i+1]
		}
	}
}

// byTable judges a call by its row; false: it has none.
func byTable(l *call.Look) bool {
	all := rows()[l.Name]
	if len(all) == 0 {
		return false
	}
	if onlyHelp(l, len(all) > 1) {
		return true
	}
	var whole row
	whole.max = -1
	for _, r := range all {
		if len(r.subs) == 0 {
			whole = r
		}
	}
	if whole.wrapper {
		wrapper(l, whole)
		return true
	}
	_, operands := call.Parse(l.Args(), whole.spec)
	best, specific := whole, 0
	for _, r := range all {
		if len(r.subs) == 0 {
			continue
		}
		if n := r.matches(l.Args(), operands); n > specific || n == specific && n > 0 && r.level > best.level {
			best, specific = r, n
		}
	}
	byRow(l, best, whole)
	return true
}

// onlyHelp says that a call asks for help or a version and for nothing else.
func onlyHelp(l *call.Look, subs bool) bool {
	args := l.Args()
	if len(args) == 0 || len(args) > 3 || !call.In(args[len(args)-1].Text, "--help", "--version") {
		return false
	}
	for _, w := range args[:len(args)-1] {
		if !subs || w.Hole || strings.Trim(w.Text, "abcdefghijklmnopqrstuvwxyz-") != "" || call.IsFlag(w) {
			return false
		}
	}
	return true
}

// matches is how well operands fit the row, -1: not.
func (r row) matches(args, operands []call.Word) int {
	n := 0
	if r.alone && len(args) != 1 {
		return -1
	}
	for i, alternatives := range r.subs {
		found := false
		for _, a := range alternatives {
			if a == "-" {
				found = found || len(operands) == 0
				continue
			}
			if a[0] == '-' {
				for _, w := range args {
					found = found || w.Text == a
				}
				continue
			}
			if anywhere, ok := strings.CutPrefix(a, ".."); ok {
				for _, w := range operands[:min(len(operands), 6)] {
					found = found || fits(anywhere, w)
				}
				continue
			}
			found = found || i < len(operands) && fits(a, operands[i])
		}
		if !found {
			return -1
		}
		n += 2
		if alternatives[0] == "*" {
			n--
		}
	}
	return n
}

func fits(pattern string, w call.Word) bool {
	if end, ok := strings.CutPrefix(pattern, "*"); ok && end != "" {
		return strings.HasSuffix(w.Text, end)
	}
	if begin, ok := strings.CutSuffix(pattern, "*"); ok {
		return strings.HasPrefix(w.Text, begin)
	}
	return w.Text == pattern
}

func byRow(l *call.Look, r, whole row) {
	s := r.spec
	s.Args += whole.spec.Args
	s.Longs = append(append([]string(nil), s.Longs...), whole.spec.Longs...)
	s.Single = s.Single || whole.spec.Single
	flags, operands := call.Parse(l.Args(), s)
	why := r.why
	if why == "" && r.level == call.Caution {
		why = "changes something, or reaches the network"
	} else if why == "" {
		why = "destroys, or cannot be taken back"
	}
	at := l.Words[0]
	if len(r.subs) > 0 && len(operands) > 0 {
		at = operands[min(len(r.subs), len(operands))-1]
		at.At, at.End = l.Words[0].At, max(at.End, l.Words[0].End)
	}
	l.Say(r.level, why, at)
	for _, f := range flags {
		flag(l, f, r, whole)
	}
	rest := operands[min(len(r.subs), len(operands)):]
	if r.op > call.Safe && len(rest) > 0 {
		l.Say(r.op, "changes something by its further words", rest[0])
	}
	if r.max >= 0 && len(rest) > r.max {
		l.Caution("a further word, which may be written to", rest[r.max])
	}
	if !r.anyFlag && r.level == call.Safe {
		for _, w := range operands {
			if (w.Subst || w.Tainted) && w.Split && strings.HasPrefix(w.Text, "$") && !call.HasPrefixAny(w.Text, "$(find", "$(git", "$(grep") {
				l.Caution("words that may be options, which are not known before", w)
			}
		}
	}
	if l.IsFed && r.level == call.Safe && r.obeys() && !fromFind(l) {
		l.Caution("gets words that are not known before", l.Words[0])
	}
}

// obeys says that some option of the program runs or writes something.
func (r row) obeys() bool {
	for _, u := range r.flags {
		if u.level == call.Danger || u.write {
			return true
		}
	}
	return false
}

// fromFind says that the words that a command gets are paths that find prints, none
// of which begins like an option.
func fromFind(l *call.Look) bool {
	if len(l.Fed) == 0 {
		return false
	}
	name, _ := call.NameOf(l.Fed[0].Text)
	return call.In(name, "find", "git", "grep", "rg", "locate", "fd")
}

func flag(l *call.Look, f call.Flag, r, whole row) {
	u, ok := ruleOf(f, r)
	if !ok {
		u, ok = ruleOf(f, whole)
		ok = ok && !(r.anyFlag && r.level == call.Safe && u.level == call.Caution)
	}
	switch {
	case ok && u.write:
		w := f.Arg
		w.Text = f.Value
		l.Deed(call.Write, w)
	case ok:
		l.Say(u.level, "an option that writes, runs or destroys: "+f.Name, f.Word)
	case r.anyFlag, f.Name == "--help", f.Name == "--version", r.level > call.Safe:
	default:
		l.Caution("an option that is not known to be harmless: "+f.Name, f.Word)
	}
}

// ruleOf finds the rule of a flag, also by a beginning of its name.
func ruleOf(f call.Flag, r row) (rule, bool) {
	if u, ok := r.flags[f.Name]; ok {
		return u, true
	}
	worst, found := rule{}, false
	if strings.HasPrefix(f.Name, "--") && len(f.Name) >= 4 {
		for name, u := range r.flags {
			if strings.HasPrefix(name, f.Name) {
				if u.write || u.level > worst.level || !found {
					worst = u
				}
				found = true
			}
		}
	}
	if worst.write && !f.Given {
		worst = rule{level: call.Caution}
	}
	return worst, found
}

// wrapper takes the command out of a call that is one.
func wrapper(l *call.Look, r row) {
	flags, rest := call.Parse(l.Args(), r.spec)
	unsure := false
	for _, f := range flags {
		u, ok := r.flags[f.Name]
		switch {
		case ok:
			l.Say(u.level, "an option that writes, runs or gives other rights: "+f.Name, f.Word)
		case len(f.Name) == 2 && f.Name[1] >= '0' && f.Name[1] <= '9', r.anyFlag:
		default:
			unsure = true
			l.Caution("an option of a wrapper that is not known: "+f.Name, f.Word)
		}
	}
	for r.set && len(rest) > 0 && strings.Contains(rest[0].Text, "=") {
		setting(l, rest[0])
		rest = rest[1:]
	}
	if r.level > call.Safe || r.root {
		l.Caution("takes other rights", l.Words[0])
	}
	if r.why != "" {
		l.Caution(r.why, l.Words[0])
	}
	if len(rest) < r.skip {
		return
	}
	if r.anyFlag || unsure {
		// An option may have taken the word behind it: whatever else could be the
		// command is judged as well.
		for i := r.skip + 1; i < len(rest) && i < r.skip+5; i++ {
			runKnown(l, rest[i:])
		}
	}
	rest = rest[r.skip:]
	if len(rest) == 0 && r.root && call.With(flags, "-i", "-s", "--login", "--shell") {
		l.Danger("starts a shell with other rights", l.Words[0])
	}
	l.Run(rest, r.root)
}
