package programs

import (
	"maps"
	"slices"
	"strings"
)

// byTable judges a call by its row; false: it has none.
func byTable(l *findings) bool {
	all := rowsOf(l.Name)
	if len(all) == 0 {
		return false
	}
	if onlyHelp(l, all) {
		return true
	}
	whole := wholeOf(all)
	if whole.wrapper {
		if r := pick(l, all, whole); len(r.subs) > 0 && r.level == Safe && len(l.Args()) == 1 {
			byRow(l, r, whole)
			return true
		}
		wrapper(l, whole)
		return true
	}
	// The options of a group of subcommands (docker compose -f FILE ps) stand before
	// the words that they share.
	first := pick(l, all, whole)
	if whole.verbs && (len(first.subs) == 0 || first.level == Safe) && asksByVerb(l) {
		return true
	}
	plain := whole
	for _, r := range all {
		if len(first.subs) > 0 && len(r.subs) == 1 && len(first.subs) > 1 && r.level > Safe && r.takes() && slices.Equal(r.subs[0], first.subs[0]) {
			whole = whole.with(r)
		}
	}
	if len(first.subs) == 1 && first.level > Safe && first.takes() {
		whole = whole.with(first)
	}
	if len(whole.flags) > len(plain.flags) || len(whole.spec.Longs) > len(plain.spec.Longs) {
		first = pick(l, all, whole)
	}
	byRow(l, first, whole)
	return true
}

// pick finds the row that says most about a call.
func pick(l *findings, all []row, whole row) row {
	best, specific := whole, 0
	if len(all) == 1 && len(all[0].subs) == 0 {
		return best
	}
	flags, operands := parse(l.Args(), whole.spec)
	for _, r := range all {
		if len(r.subs) == 0 {
			continue
		}
		if n := r.matches(l.Args(), flags, operands); n > specific || n == specific && n > 0 && r.level >= best.level {
			best, specific = r, n
		}
	}
	return best
}

// takes says that an option of the row has a value.
func (r row) takes() bool { return r.spec.Args != "" || len(r.spec.Longs) > 0 }

// with is the row of a program with the options of a group of its subcommands.
func (r row) with(group row) row {
	both := r
	both.flags = maps.Clone(r.flags)
	maps.Copy(both.flags, group.flags)
	both.spec.Args += group.spec.Args
	both.spec.Rest += group.spec.Rest
	both.spec.Longs = slices.Concat(r.spec.Longs, group.spec.Longs)
	return both
}

// wholeOf is the row of the program without a subcommand; without one, all that no
// row speaks of is a caution.
func wholeOf(all []row) row {
	for _, r := range slices.Backward(all) {
		if len(r.subs) == 0 {
			return r
		}
	}
	return row{level: Caution, max: -1, effects: nothingStated}
}

// onlyHelp says that a call asks for help or a version and for nothing else.
func onlyHelp(l *findings, all []row) bool {
	args := l.Args()
	if helpOf(l) {
		return true
	}
	if len(args) == 0 || len(args) > 3 {
		return false
	}
	whole := wholeOf(all)
	last := args[len(args)-1].Text
	if whole.noHelp || !isOneOf(last, "--help", "--version") && !slices.Contains(whole.help, last) {
		return false
	}
	if len(args) > 1 && (len(all) < 2 || !isOneOf(last, "--help", "-h", "-help")) {
		return false
	}
	for i, w := range args[:len(args)-1] {
		if w.Hole || strings.Trim(w.Text, "abcdefghijklmnopqrstuvwxyz-") != "" || IsFlag(w) {
			return false
		}
		// What stands behind these has a help of its own, which is a run of it.
		if i > 0 && isOneOf(args[i-1].Text, "run", "exec", "x", "dlx", "tool", "shell", "ssh", "start", "create", "do") {
			return false
		}
	}
	return true
}

// matches is how well a call fits the row, -1: not.
func (r row) matches(args []Word, flags []typedFlag, operands []Word) int {
	n := 0
	if r.alone && len(args) != 1 {
		return -1
	}
	for i, alternatives := range r.subs {
		found := false
		for _, a := range alternatives {
			found = found || fitsAt(a, i, args, flags, operands)
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

// fitsAt says that the pattern of the place i fits a call.
func fitsAt(a string, i int, args []Word, flags []typedFlag, operands []Word) bool {
	if a == "-" {
		return len(operands) <= i
	}
	if a[0] == '-' {
		for _, f := range flags {
			if fits(a, Word{Text: f.Name}) {
				return true
			}
		}
		for _, w := range args {
			if IsFlag(w) && fits(a, w) {
				return true
			}
		}
		return false
	}
	if anywhere, ok := strings.CutPrefix(a, ".."); ok {
		for _, w := range operands[:min(len(operands), 6)] {
			if fits(anywhere, w) {
				return true
			}
		}
		return false
	}
	return i < len(operands) && fits(a, operands[i])
}

func fits(pattern string, w Word) bool {
	if end, ok := strings.CutPrefix(pattern, "*"); ok && end != "" {
		if part, both := strings.CutSuffix(end, "*"); both {
			return strings.Contains(w.Text, part)
		}
		return strings.HasSuffix(w.Text, end)
	}
	if begin, ok := strings.CutSuffix(pattern, "*"); ok {
		return strings.HasPrefix(w.Text, begin)
	}
	return w.Text == pattern
}

func byRow(l *findings, r, whole row) {
	s := r.spec
	s.Args += whole.spec.Args
	s.Rest += whole.spec.Rest
	s.Longs = append(append([]string(nil), s.Longs...), whole.spec.Longs...)
	s.Single = s.Single || whole.spec.Single
	flags, operands := parse(l.Args(), s)
	at := l.Words[0]
	if len(r.subs) > 0 && len(operands) > 0 {
		at = operands[min(len(r.subs), len(operands))-1]
		at.At, at.End = l.Words[0].At, max(at.End, l.Words[0].End)
	}
	l.Say(r.level, r.because(), at)
	if r.level == Safe && r.matches(l.Args(), flags, operands) < 0 {
		// With the options of the row the words stand elsewhere.
		l.Caution("a word that may be the value of an option", at)
	}
	for _, f := range flags {
		flag(l, f, r, whole)
	}
	rest := operands[min(r.named(), len(operands)):]
	if r.op > Safe && len(rest) > 0 {
		l.Say(r.op, "changes something by its further words", rest[0])
	}
	if r.max >= 0 && len(rest) > r.max {
		l.Caution("a further word, which may be written to", rest[r.max])
	}
	if r.out > 0 && len(rest) >= r.out && rest[r.out-1].Text != "-" {
		l.Operation(Write, rest[r.out-1])
	}
	if r.level == Safe {
		unknownWords(l, r, operands)
		if len(r.obeys) > 0 {
			l.Obey(at, r.obeys...)
		}
	}
}

// named is how many words of a call stand in the row as words, and not as options.
func (r row) named() int {
	n := 0
	for _, alternatives := range r.subs {
		if alternatives[0][0] != '-' {
			n++
		}
	}
	return n
}

// because is why a row is above safe.
func (r row) because() string {
	switch {
	case r.why != "":
		return r.why
	case r.level == Danger:
		return "destroys, or cannot be taken back"
	case r.effects == nothingStated:
		return "changes something, or reaches the network"
	case r.effects[3] == 'c':
		return "obeys files of the directory, which can name code"
	case r.effects[0] == 'x':
		return "runs other programs or code"
	case r.effects[1] == 'w':
		return "changes something"
	case r.effects[4] == 's':
		return "shows what may be a secret"
	}
	return "reaches the network"
}

// unknownWords judges the words of a reading call that are not known before.
func unknownWords(l *findings, r row, operands []Word) {
	if r.asks {
		for _, w := range l.Args() {
			if HasAny(w.Text, "://", "git+", "git@") {
				l.Caution("asks another service than the one it is set up for", w)
			}
		}
	}
	for i, w := range operands {
		if r.names && i >= len(r.subs) && (strings.Contains(w.Text, ":") || strings.Contains(w.Text, "/") && w.Text[0] != '@' || strings.HasSuffix(w.Text, ".rb")) {
			l.Caution("is no plain name: it may be fetched, or be code", w)
		}
		if l.Name == "rclone" && (strings.HasPrefix(w.Text, ":") || strings.Contains(w.Text, ",")) {
			l.Caution("a place with settings of its own", w)
		}
	}
	if r.fed {
		return
	}
	if l.IsFed && (r.max >= 0 || r.out > 0 || len(r.subs) > 0 && r.subs[len(r.subs)-1][0] == "-") {
		l.Caution("gets further words, which may be written to", l.Words[0])
	}
	for _, w := range operands {
		if (w.Subst || w.Tainted) && w.Split && strings.HasPrefix(w.Text, "$") && !namesFiles(w) {
			l.Caution("words that may be options, which are not known before", w)
		}
	}
	if l.IsFed && !fromFind(l) {
		l.Caution("gets words that are not known before", l.Words[0])
	}
}

// namesFiles says that a word is what a command prints that prints paths, numbers or
// dates, none of which begins like an option.
func namesFiles(w Word) bool {
	return HasPrefixAny(w.Text, "$(find", "$(git", "$(grep", "$(ls)", "$(seq)", "$(pgrep)", "$(pidof)", "$(pwd)",
		"$(realpath)", "$(readlink)", "$(fd)", "$(rg)")
}

// fromFind says that the words that a command gets are paths that find prints, none
// of which begins like an option.
func fromFind(l *findings) bool {
	if len(l.Fed) == 0 {
		return false
	}
	name, _ := NameOf(l.Fed[0].Text)
	return isOneOf(name, "find", "git", "grep", "rg", "locate", "fd")
}

func flag(l *findings, f typedFlag, r, whole row) {
	u, ok := ruleOf(f, r)
	// What stands before the subcommand is an option of the program itself.
	byFlag := len(r.subs) > 0 && r.level == Safe && strings.HasPrefix(r.subs[0][0], "-") && r.subs[0][0] != "-"
	if v, also := ruleOf(f, whole); also && (!ok || !byFlag && (v.level > u.level || v.write) && (r.level > Safe || f.After == 0)) {
		u, ok = v, true
	}
	v := f.Arg
	v.Text = f.Value
	piped(l, v)
	if ok && u.level > Safe && strings.HasPrefix(f.Value, "<()") {
		l.Danger("obeys what a command prints: "+f.Name, f.Word)
	}
	switch {
	case ok && u.write:
		l.Operation(Write, v)
	case ok:
		l.Say(u.level, "an option that writes, runs or destroys: "+f.Name, f.Word)
	case f.Name == "--help", f.Name == "--version", r.level > Safe:
	default:
		level := Caution
		if len(r.subs) > 0 && (strings.HasPrefix(r.subs[0][0], "-") || r.subs[0][0] == "*") {
			level = max(level, whole.level) // it may be what the program is for otherwise
		}
		l.Say(level, "an option that is not known to be harmless: "+f.Name, f.Word)
	}
}

// piped judges the value of an option that is a command, as its first letter says.
func piped(l *findings, v Word) {
	if cmd, ok := strings.CutPrefix(v.Text, "|"); ok && strings.TrimSpace(cmd) != "" && beginsCommand(strings.Fields(cmd)[0], true) {
		l.Shell(cmd, v, false)
	}
}

// ruleOf finds the rule of a flag. A beginning of a name is enough to raise a level,
// as getopt would take it, and never to be harmless.
func ruleOf(f typedFlag, r row) (rule, bool) {
	if u, ok := r.flags[f.Name]; ok {
		return u, true
	}
	if r.spec.Single && strings.HasPrefix(f.Name, "--") {
		if u, ok := r.flags[f.Name[1:]]; ok {
			return u, true
		}
	}
	worst, found := rule{}, false
	if strings.HasPrefix(f.Name, "--") && len(f.Name) >= 6 {
		for name, u := range r.flags {
			if strings.HasPrefix(name, f.Name) && (u.write || u.level > worst.level) {
				worst, found = u, true
			}
		}
	}
	if worst.write && !f.Given {
		worst = rule{level: Caution}
	}
	return worst, found
}

// wrapper takes the command out of a call that is one.
func wrapper(l *findings, r row) {
	flags, rest := parse(l.Args(), r.spec)
	unsure := false
	for _, f := range flags {
		u, ok := r.flags[f.Name]
		v := f.Arg
		v.Text = f.Value
		piped(l, v)
		switch {
		case ok && isOneOf(l.Name, "nsenter") && isOneOf(f.Name, "-t", "--target", "-a") && isOneOf(f.Value, "1", ""):
			l.Danger("enters the machine itself", f.Word)
		case ok && u.write:
			l.Operation(Write, v)
		case ok:
			l.Say(u.level, "an option that writes, runs or gives other rights: "+f.Name, f.Word)
		case len(f.Name) == 2 && f.Name[1] >= '0' && f.Name[1] <= '9':
		default:
			unsure = true
			l.Caution("an option of a wrapper that is not known: "+f.Name, f.Word)
		}
	}
	for r.set && len(rest) > 0 && strings.Contains(rest[0].Text, "=") {
		setting(l, rest[0])
		rest = rest[1:]
	}
	if r.level > Safe || r.root {
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
	if len(rest) == 0 && r.root && with(flags, "-i", "-s", "--login", "--shell") {
		l.Danger("starts a shell with other rights", l.Words[0])
	}
	l.Run(rest, r.root)
}
