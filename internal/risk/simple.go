package risk

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"ken/internal/risk/programs"
)

// call judges a simple command of the tree, in all ways that its variables allow.
func (j *judge) call(c *syntax.CallExpr, s scene) {
	var set []string
	for _, a := range c.Assigns {
		at := s
		at.reads = len(c.Args) > 0 && in(c.Args[0].Lit(), "read", "mapfile", "readarray")
		j.assign(a, at, len(c.Args) > 0)
		if a.Name != nil {
			set = append(set, a.Name.Value+"="+j.word(a.Value).Text)
		}
	}
	if len(c.Args) == 0 {
		return
	}
	j.elsewhere(c, s)
	if len(c.Args) > maxWords {
		j.say(Danger, "more words than anybody reads", s, int(c.Pos().Offset()), int(c.Args[0].End().Offset()))
		return
	}
	for _, w := range c.Args {
		j.expansions(w, s)
	}
	s.around = s.around || len(c.Assigns) > 0
	list := s.into
	if list == nil {
		list = &j.commands
	}
	began, trees, listed := len(j.reasons), j.trees, len(*list)
	kept, dirs := j.pick, j.dirs
	for i, p := range j.choices(c.Args...) {
		j.pick = p
		gone := j.dirs
		if i > 0 {
			j.stand(dirs)
		}
		words := j.words(c.Args)
		switch {
		case len(words) == 0:
			j.node(Danger, whyUnknown, s, c)
		case i == 0:
			s.into = list
			j.simple(words, set, s)
		default: // the same command, that is counted and listed already
			var none []Simple
			s.into = &none
			count := j.count
			j.simple(words, set, s)
			if j.count <= maxCommands {
				j.count = count
			}
			j.either(gone)
		}
	}
	j.pick = kept
	if len(*list) > listed {
		(*list)[listed].Level, (*list)[listed].Removes = j.levelSince(began), j.trees > trees
	}
}

// elsewhere finds a secret that goes to a program together with the name of the machine
// that it is to ask.
func (j *judge) elsewhere(c *syntax.CallExpr, s scene) {
	host, secret := false, false
	for _, a := range c.Assigns {
		if a.Name != nil && a.Value != nil {
			host = host || strings.HasSuffix(a.Name.Value, "_HOST") || strings.HasSuffix(a.Name.Value, "_URL") ||
				strings.HasSuffix(a.Name.Value, "_ENDPOINT")
			secret = secret || j.word(a.Value).Secret
		}
	}
	if host && secret {
		j.node(Danger, whySends, s, c)
	}
}

// simple judges a command by its words, and lists it.
func (j *judge) simple(words []programs.Word, set []string, s scene) {
	if j.count++; j.count > maxCommands {
		if j.count == maxCommands+1 {
			j.say(Danger, "more commands than anybody follows", s, words[0].At, words[0].End)
		}
		return
	}
	began, trees := len(j.reasons), j.trees
	it := Simple{Set: set, At: words[0].At, End: words[len(words)-1].End, Plain: !s.around && !s.inner}
	if s.inner {
		it.At, it.End = s.from, s.to
	}
	it.Argv, it.Known = make([]string, 0, len(words)), make([]bool, 0, len(words))
	for _, w := range words {
		known := !w.Hole && !w.Glob
		text := w.Text
		if w.Hole {
			text = ""
		}
		it.Argv, it.Known = append(it.Argv, text), append(it.Known, known)
		it.Plain = it.Plain && known && !w.Split && !w.Given
	}
	it.Plain = it.Plain && len(set) == 0
	inner := s
	inner.into = &it.Runs
	j.run(words, inner)
	it.Level, it.Removes = j.levelSince(began), j.trees > trees
	if s.into != nil {
		*s.into = append(*s.into, it)
	} else {
		j.commands = append(j.commands, it)
	}
}

const whyUnknown = "a command that is not known until it runs"

// run judges what a command does.
func (j *judge) run(words []programs.Word, s scene) {
	first := words[0]
	if first.Hole && first.Found != "" {
		first = programs.Word{Text: first.Found, Given: true, At: first.At, End: first.End}
		words = append([]programs.Word{first}, words[1:]...)
	}
	switch {
	case first.Hole, first.Glob && first.Text != "[", first.Split:
		j.say(Danger, whyUnknown, s, first.At, first.End)
	case first.Text == "":
		j.say(Caution, "a command without a name", s, first.At, first.End)
		return
	case strings.IndexFunc(first.Text, func(r rune) bool { return r >= 0x80 || r < ' ' }) >= 0:
		j.say(Danger, "a command whose name has odd letters", s, first.At, first.End)
	}
	if began := len(j.reasons); first.Given {
		// Who names a command by a variable may hide it: only what is known to look is let
		// pass.
		defer func() {
			if j.levelSince(began) > Safe {
				j.say(Danger, whyUnknown, s, first.At, first.End)
			}
		}()
	}
	name, _ := programs.NameOf(first.Text)
	writes := programs.MayWrite(name)
	j.aliased(words, s)
	makes := in(name, "touch", "mkdir")
	for i, w := range words[1:] {
		j.argument(name, words, w, s)
		if makes && optionFile(words, i+1) {
			j.say(Danger, "makes a file whose name is an option of another program", s, w.At, w.End)
		}
		if writes || strings.Contains(w.Text, "/dev") {
			j.everywhere(func() { j.bad(writes, words, w, s) })
		}
		if !ascii(w.Text) {
			j.foreign(name, w, s)
		}
	}
	before := s.before
	if s.doc != nil {
		before = append(slices.Clip(before), []programs.Word{*s.doc})
	}
	j.everywhere(func() { j.ownFile(words, s) })
	res := programs.Look(programs.Call{
		Words: words, Root: s.root, Fed: s.fed, IsFed: s.isFed, Piped: s.piped, Input: s.input || s.doc != nil, Doc: s.doc != nil && !s.doc.Hole,
		Before: before, TrustedGit: j.here.TrustedGit && !j.moved,
		Defined: j.defines(first.Text, s),
	})
	for _, e := range res.Effects {
		if s.names && len(words) == 1 && in(first.Text, "env", "printenv") {
			continue
		}
		j.say(Level(e.Level), e.Why, s, e.Word.At, e.Word.End)
	}
	for _, o := range res.Obeys {
		if j.obeyed(o.Names) {
			j.say(Caution, "obeys a file of the directory as code", s, o.Word.At, o.Word.End)
		}
	}
	var set []string
	for _, v := range res.Settings {
		level, why := unsetLevel(v.Name)
		if !v.Unset {
			set = append(set, v.Name+"="+v.Value)
			level, why = variableLevel(v.Name, programs.Word{Text: v.Value, Hole: v.Word.Hole}, true)
		}
		j.say(level, why, s, v.Word.At, v.Word.End)
	}
	wraps := false
	for _, d := range res.Operations {
		wraps = wraps || d.Act == programs.Run
		j.operation(d, set, s)
	}
	if in(name, "echo", "printf") {
		for _, w := range words[1:] {
			if secretName(w) {
				j.say(Caution, "shows a variable that may hold a secret", s, w.At, w.End)
			}
		}
	}
	if !wraps && programs.Prints(first.Text) {
		for _, w := range words[min(1, len(words)-1):] {
			j.everywhere(func() {
				if j.shown(words, w, s) {
					j.say(Caution, "shows what may be a secret", s, w.At, w.End)
				}
			})
		}
	}
	reaches := len(res.Obeys) > 0 || j.defines(first.Text, s) ||
		slices.ContainsFunc(res.Effects, func(e programs.Effect) bool { return e.Level > programs.Safe })
	j.leaks(words, reaches, s)
	if programs.RemoteShell(words) && (s.doc != nil || s.piped || s.input) {
		j.fromInput(words, s)
	}
	if programs.RunsInput(words) {
		j.fromInput(words, s)
	}
	switch first.Text {
	case "cd", "pushd", "popd", "chdir":
		j.goTo(first.Text, words[1:])
	case "source", ".":
		j.moved = true // it may go anywhere
		j.either([]string{""})
	}
}

// ownFile finds a run of what the line itself wrote or fetched: nobody has read it.
func (j *judge) ownFile(words []programs.Word, s scene) {
	name, elsewhere := programs.NameOf(words[0].Text)
	runs := words[:0:0]
	if elsewhere != "" {
		runs = append(runs, words[0])
	}
	if programs.IsShell(name) || programs.IsInterpreter(name) || in(name, "source", ".") {
		for _, w := range words[1:] {
			if !programs.IsFlag(w) {
				runs = append(runs, w)
				break
			}
		}
	}
	for _, w := range runs {
		if j.wrote[j.paths.Clean(w.Text)] {
			j.say(Danger, "runs what the line itself has written or fetched", s, w.At, w.End)
		}
	}
	if name == "wget" || name == "curl" {
		for _, w := range words[1:] {
			if i := strings.LastIndexByte(w.Text, '/'); i >= 0 && !programs.IsFlag(w) {
				j.wrote[j.paths.Clean(w.Text[i+1:])] = true
				if class := j.paths.Class(w.Text[i+1:]); in(class.Why(), startPath.Why(), hooksPath.Why(), systemPath.Why()) && class != plainPath {
					j.say(Danger, class.Why(), s, w.At, w.End)
				}
			}
		}
	}
}

// argument judges a word by itself.
func (j *judge) argument(name string, words []programs.Word, w programs.Word, s scene) {
	switch name {
	case "test", "[", "read", "unset", "mapfile", "readarray", "printf", "wait", "let", "getopts", "local", "typeset", "declare", "export":
		if strings.Contains(w.Text, "[$(") || strings.Contains(w.Text, "[`") {
			j.say(Danger, "a command hidden in text that is evaluated", s, w.At, w.End)
		}
	}
	if in(name, "read", "mapfile", "readarray", "getopts", "wait") && harmfulVariable(w.Text) ||
		name == "printf" && words[1].Text == "-v" && len(words) > 2 && harmfulVariable(words[2].Text) {
		j.say(Danger, "sets a variable that programs obey", s, w.At, w.End)
	}
}

// aliased judges a call of what the line makes an alias of, as what it stands for.
func (j *judge) aliased(words []programs.Word, s scene) {
	first := words[0]
	if first.Text == "alias" {
		for _, w := range words[1:] {
			if name, value, ok := strings.Cut(w.Text, "="); ok && name != "" && value != "" {
				if j.aliases == nil {
					j.aliases = map[string]string{}
				}
				j.aliases[name] = value
			}
		}
		return
	}
	text, ok := j.aliases[first.Text]
	if !ok {
		return
	}
	for _, w := range words[1:] {
		quoted, err := syntax.Quote(w.Text, syntax.LangBash)
		if err != nil || w.Hole {
			quoted = w.Text
		}
		text += " " + quoted
	}
	inner := s
	if !inner.inner {
		inner.inner, inner.from, inner.to = true, first.At, words[len(words)-1].End
	}
	inner.depth++
	inner.around = true
	kept := j.aliases
	j.aliases = nil // an alias is not looked up in itself
	j.script(text, inner)
	j.aliases = kept
}

// optionFile reports whether a word is the name of a file that is made, and which another program
// takes for an option where a pattern finds it.
func optionFile(words []programs.Word, i int) bool {
	t := strings.TrimPrefix(words[i].Text, "./")
	dashes := slices.ContainsFunc(words[:i], func(w programs.Word) bool { return w.Text == "--" })
	return strings.HasPrefix(t, "-") && (dashes || t != words[i].Text) && (strings.Contains(t, "=") || strings.HasPrefix(t, "-e"))
}

// bad judges a word that may be a path of a bad class, of a program that may write.
func (j *judge) bad(writes bool, words []programs.Word, w programs.Word, s scene) {
	class := j.paths.Class(w.Text)
	if writes && (class == startPath || class == ownPath || class == hooksPath) {
		j.say(Danger, "may write to what is run at a start, by git or by ken", s, w.At, w.End)
	}
	if class == netPath && !in(words[0].Text, "echo", "printf", "grep", "rg") {
		j.say(Danger, netPath.Why(), s, w.At, w.End)
	}
}

// fromInput judges a shell that takes its commands from its standard input.
func (j *judge) fromInput(words []programs.Word, s scene) {
	at := words[0]
	switch {
	case s.doc != nil:
		w := *s.doc
		if w.Subst || w.Tainted || w.Set {
			j.say(Danger, "runs as code what is not known before", s, at.At, at.End)
		}
		inner := s
		if !inner.inner {
			inner.inner, inner.from, inner.to = true, w.At, w.End
		}
		inner.depth++
		inner.around = true
		inner.doc, inner.input, inner.piped = nil, false, false
		j.say(Caution, "starts a shell", s, at.At, at.End)
		if programs.IsShell(words[0].Text) || programs.RemoteShell(words) || in(words[0].Text, "source", ".") {
			j.script(w.Text, inner)
			return
		}
		res := programs.Code(words[0].Text, w)
		for _, e := range res.Effects {
			j.say(Level(e.Level), e.Why, s, at.At, at.End)
		}
		for _, d := range res.Operations {
			j.operation(d, nil, s)
		}
	case s.piped, s.input:
		j.say(Danger, "runs as code what it is fed", s, at.At, at.End)
	case s.root:
		j.say(Danger, "starts a shell with other rights", s, at.At, at.End)
	default:
		j.say(Caution, "starts a shell that nobody watches", s, at.At, at.End)
	}
}

// operation judges what a command does to something, or runs.
func (j *judge) operation(d programs.Operation, set []string, s scene) {
	if d.Act != programs.Run && d.Act != programs.Shell {
		j.everywhere(func() { j.touch(d, s) })
		return
	}
	if d.Away {
		dirs, moved := j.dirs, j.moved
		j.moved = true
		if d.Dir.Text != "" {
			j.goTo("cd", []programs.Word{d.Dir})
			j.either([]string{""})
		} else {
			j.stand([]string{""})
		}
		d.Away = false
		j.operation(d, set, s)
		j.stand(dirs)
		j.moved = moved
		return
	}
	j.runs(d, set, s)
}

// touch judges what a command does to a file.
func (j *judge) touch(d programs.Operation, s scene) {
	w := d.Word
	switch d.Act {
	case programs.Write:
		j.write(d.Words[0], s, d.Root || s.root)
		if d.Deep {
			j.unpack(w, s)
		}
	case programs.Send:
		if j.paths.Secret(w.Text) || j.paths.SecretTree(w.Text) || j.hot[j.paths.Clean(w.Text)] || j.paths.Class(w.Text) == systemPath {
			j.say(Danger, "sends what may be a secret to another machine", s, w.At, w.End)
		}
	case programs.Alter:
		j.alter(d, s)
	case programs.Move:
		j.move(d, s)
	case programs.Remove:
		j.remove(d, s)
	}
}

// runs judges what a command runs in turn.
func (j *judge) runs(d programs.Operation, set []string, s scene) {
	w := d.Word
	switch d.Act {
	case programs.Run:
		inner := s
		inner.depth++
		inner.behind = true
		inner.root = d.Root
		inner.fed, inner.isFed = d.Fed, d.IsFed
		if !d.Input {
			inner.piped, inner.input, inner.doc = false, false, nil
		}
		if inner.depth > maxNesting {
			j.say(Danger, "a command behind too many others to look into", s, w.At, w.End)
			return
		}
		j.simple(d.Words, set, inner)
	case programs.Shell:
		inner := s
		if !inner.inner {
			inner.inner, inner.from, inner.to = true, w.At, w.End
		}
		inner.depth++
		inner.around = true
		inner.root = d.Root
		inner.fed, inner.isFed = d.Fed, d.IsFed
		if !d.Input {
			inner.piped, inner.input = false, false
		}
		inner.doc = nil
		inner.given = d.Words
		if d.IsFed && strings.Contains(d.Text, "{}") {
			j.say(Danger, "runs as code what it is fed", s, w.At, w.End)
		}
		dirs := j.dirs
		j.script(d.Text, inner)
		if d.Later {
			j.either(dirs)
			var none []Simple
			inner.into = &none
			j.later = append(j.later, func() { j.script(d.Text, inner) })
		}
	}
}

// write judges a file that is made or changed.
func (j *judge) write(w programs.Word, s scene, root bool) {
	class := j.paths.Class(w.Text)
	j.wrote[j.paths.Clean(w.Text)] = true
	j.written = append(j.written, j.paths.Clean(w.Text))
	switch {
	case class == noPath:
	case class.Why() != "":
		j.say(Danger, class.Why(), s, w.At, w.End)
	case root && strings.HasPrefix(w.Text, "/") && class != scratchPath:
		j.say(Danger, "writes where only root may", s, w.At, w.End)
	default:
		j.say(Caution, "writes a file", s, w.At, w.End)
	}
}

// unpack judges a directory into which files come whose names nobody sees.
func (j *judge) unpack(w programs.Word, s scene) {
	switch in := j.paths.Clean(w.Text); {
	case j.paths.Holds(in):
		j.say(Danger, "unpacks files into a home directory or the system, start files among them", s, w.At, w.End)
	case w.Hole && !strings.HasPrefix(in, "~/") && (w.Subst || w.Set || w.Tainted):
		j.say(Caution, "unpacks files into a directory that is not known", s, w.At, w.End)
	}
}

func (j *judge) alter(d programs.Operation, s scene) {
	w := d.Word
	if d.Deep {
		j.trees++
	}
	broad := j.paths.Broad(w.Text)
	class := j.paths.Class(w.Text)
	switch {
	case d.Deep && (broad != "" || w.Hole):
		j.say(Danger, "changes rights of a whole tree: "+orUnknown(broad), s, w.At, w.End)
	case class.Why() != "" && class != noPath:
		j.say(Danger, "changes rights of what the system or a login uses", s, w.At, w.End)
	case d.Deep && d.Root:
		j.say(Danger, "changes rights of a whole tree as root", s, w.At, w.End)
	default:
		j.say(Caution, "changes rights or owner", s, w.At, w.End)
	}
}

func orUnknown(why string) string {
	if why == "" {
		return "which one is not known"
	}
	return why
}

func (j *judge) move(d programs.Operation, s scene) {
	w := d.Word
	class := j.paths.Class(w.Text)
	switch {
	case class.Why() != "":
		j.say(Danger, "moves away what the system or a login uses", s, w.At, w.End)
	case in(j.paths.Clean(w.Text), "~", ".", "..") || strings.HasSuffix(w.Text, "/*") && in(j.paths.Clean(strings.TrimSuffix(w.Text, "*")), "~", "/"):
		j.say(Danger, "moves away a whole directory", s, w.At, w.End)
	default:
		j.say(Caution, "moves a file", s, w.At, w.End)
	}
}

func (j *judge) remove(d programs.Operation, s scene) {
	w := d.Word
	if d.Deep {
		j.trees++
	}
	broad := j.paths.Broad(w.Text)
	class := j.paths.Class(w.Text)
	switch {
	case w.Subst || w.Tainted:
		j.say(Danger, "removes what is not known before", s, w.At, w.End)
	case d.Deep && broad != "":
		j.say(Danger, "removes with all below it: "+broad, s, w.At, w.End)
	case d.Deep && d.Root:
		j.say(Danger, "removes a tree as root", s, w.At, w.End)
	case d.Deep && w.Hole:
		j.say(Danger, "removes a tree that is not known: a variable may be empty", s, w.At, w.End)
	case class.Why() != "":
		j.say(Danger, "removes what the system or a login uses", s, w.At, w.End)
	case strings.HasSuffix(w.Text, "*") && broad != "":
		j.say(Danger, "removes all files: "+broad, s, w.At, w.End)
	default:
		j.say(Caution, "removes a file or a tree", s, w.At, w.End)
	}
}

// statement finds, in a whole text, what destroys data of a database, when it is no
// shell at all.
func (j *judge) statement(text string, s scene) {
	if len(text) < 4<<10 {
		if why := programs.Statement(text); why != "" {
			j.say(Danger, why, s, 0, len(clip(text)))
		}
	}
}
