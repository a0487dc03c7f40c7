package programs

import (
	"embed"
	"slices"
	"strings"
	"sync"
)

//go:embed rows/*.txt
var rowFiles embed.FS

// A row is what is known of a program, or of one of its subcommands.
//
//	NAME [SUB...]: LEVEL EFFECTS FLAGS... ; WHY
//	NAME: = OTHER
//
// SUB are alternatives, apart by "|", for the word in that place: "*" is any word, at
// an end of one any beginning or ending, "-x" is an option that must be there, "-" no
// word at all. "..SUB" is found anywhere among the first words; that may only raise a
// level. Of two rows the one that says more holds. The second form says that NAME is
// another name of OTHER.
//
// LEVEL is s, c or d, or w for a wrapper: what stands behind it is a command. EFFECTS
// are five letters, "-" for none: x runs other programs or code, w writes, n reaches
// machines other than the service that it is set up for, c obeys files of the
// directory that can name code, s shows what should not be seen. A row of level s has
// none of them, and says so. Left out, nothing is known.
//
// FLAGS are all that are harmless, or do what a suffix says: "-abc" flags without a
// value; "-k:" and "--long:" with one; "-j?" with one that can only stand in the same
// word; "=c" caution, "=d" danger, "=w" its value is a file that is written. An option
// that is not listed is never safe. In rows above s, "*" is any flag.
//
// "max=N" words beyond which it is a caution, "out=N" the Nth word is a file that is
// written, "op=c" a level of any word, "skip=N" words of a wrapper before the command,
// "alone" a flag of SUB is the only word, "single" flags are long with one dash, "set"
// a wrapper takes NAME=value, "root" it gives other rights, "fed" no word that it could
// be given does harm, also as an option, "asks" it asks the service it is set up for, "names" its words are names of packages,
// "verbs" nouns and a verb that asks
// are harmless (asksByVerb), "obeys=" files by which it is harmless only where
// there is none, "nohelp" not even its help is harmless, "help=-h" an option that asks for help or a
// version, if it is the only one.
type row struct {
	subs    [][]string
	level   Level
	effects string // five letters, or "?????"
	wrapper bool
	anyFlag bool
	flags   map[string]rule
	spec    flagSpec
	max     int // -1: as many as one likes
	out     int // 0: none
	op      Level
	skip    int
	set     bool
	root    bool
	alone   bool
	fed     bool
	asks    bool
	names   bool
	verbs   bool
	noHelp  bool
	obeys   []string
	help    []string
	why     string
}

// A rule is what a flag makes of a command.
type rule struct {
	level Level
	arg   bool
	write bool
}

// A table finds the rows of a program. A row is read when somebody asks for it: a
// verdict needs a few of a thousand.
type table struct {
	lines map[string][]string
	mu    sync.Mutex
	read  map[string][]row
}

var known = sync.OnceValue(func() *table {
	t := &table{lines: map[string][]string{}, read: map[string][]row{}}
	files, err := rowFiles.ReadDir("rows")
	if err != nil {
		panic(err) // they are part of the program
	}
	for _, f := range files {
		text, err := rowFiles.ReadFile("rows/" + f.Name())
		if err != nil {
			panic(err)
		}
		for line := range strings.Lines(string(text)) {
			t.add(strings.TrimSpace(line))
		}
	}
	return t
})

func (t *table) add(line string) {
	if line == "" || line[0] == '#' {
		return
	}
	head, _, ok := strings.Cut(line, ": ")
	if !ok {
		panic("risk: table: " + line)
	}
	names, _, _ := strings.Cut(head, " ")
	for name := range strings.SplitSeq(names, "|") {
		t.lines[name] = append(t.lines[name], line)
	}
}

// rowsOf are the rows of a program; none: nothing is known of it.
func rowsOf(name string) []row {
	t := known()
	lines := t.lines[name]
	if len(lines) == 0 {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if all, ok := t.read[name]; ok {
		return all
	}
	var all []row
	for _, line := range lines {
		head, rest, _ := strings.Cut(line, ": ")
		if other, ok := strings.CutPrefix(rest, "= "); ok {
			lines = t.lines[strings.TrimSpace(other)]
			if len(lines) == 0 {
				panic("risk: table: " + line)
			}
			for _, line := range lines {
				head, rest, _ := strings.Cut(line, ": ")
				all = append(all, readRow(strings.Fields(head)[1:], rest))
			}
			continue
		}
		all = append(all, readRow(strings.Fields(head)[1:], rest))
	}
	t.read[name] = all
	return all
}

// isKnown says that there is a row for a program.
func isKnown(name string) bool { return len(known().lines[name]) > 0 }

const nothingStated = "?????"

func readRow(subs []string, rest string) row {
	rest, why, _ := strings.Cut(rest, ";")
	r := row{flags: map[string]rule{}, max: -1, effects: nothingStated, why: strings.TrimSpace(why)}
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
	fields = fields[1:]
	if len(fields) > 0 && isEffects(fields[0]) {
		r.effects, fields = fields[0], fields[1:]
	}
	r.spec.Single = slices.Contains(fields, "single")
	for _, f := range fields {
		switch {
		case f == "*":
			r.anyFlag = true
		case f == "single":
			// it says how the others are read
		case f == "set":
			r.set = true
		case f == "alone":
			r.alone = true
		case f == "root":
			r.root = true
		case f == "fed":
			r.fed = true
		case f == "asks":
			r.asks = true
		case f == "names":
			r.names = true
		case f == "verbs":
			r.verbs = true
		case f == "nohelp":
			r.noHelp = true
		case strings.HasPrefix(f, "obeys="):
			r.obeys = strings.Split(f[6:], "|")
		case strings.HasPrefix(f, "help="):
			r.help = strings.Split(f[5:], "|")
		case strings.HasPrefix(f, "max="):
			r.max = int(f[4] - '0')
		case strings.HasPrefix(f, "out="):
			r.out = int(f[4] - '0')
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

// isEffects says that a field of a row is its five letters.
func isEffects(f string) bool {
	if len(f) != 5 {
		return false
	}
	for i, letter := range "xwncs" {
		if f[i] != '-' && f[i] != '?' && rune(f[i]) != letter {
			return false
		}
	}
	return true
}

func levelOf(s string) Level { return Level(strings.Index("scd", s)) }

func (r *row) addFlag(f string) {
	f, effect, _ := strings.Cut(f, "=")
	u := rule{write: effect == "w"}
	if effect == "c" || effect == "d" {
		u.level = levelOf(effect)
	}
	if f[0] != '-' {
		panic("risk: table: " + f)
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
	if effect != "" && len(strings.TrimRight(f, ":?")) > 2 {
		panic("risk: table: one option, one effect: " + f)
	}
	for i := 1; i < len(f); i++ {
		if f[i] == ':' || f[i] == '?' && i > 1 {
			continue
		}
		next := byte(0)
		if i+1 < len(f) {
			next = f[i+1]
		}
		u.arg = u.write || next == ':'
		r.flags["-"+f[i:i+1]] = u
		switch {
		case u.arg:
			r.spec.Args += f[i : i+1]
		case next == '?' && i+2 == len(f):
			r.spec.Rest += f[i : i+1]
		}
	}
}
