package programs

import "strings"

// A flag is a flag as it stands in a command.
type flag struct {
	name  string // "-x" or "--long"
	value string
	given bool // there is a value
	word  Word
	arg   Word // the word of the value
}

// A spec says which flags take a value. Flags that it does not list take none,
// unless "--long=value" says so.
type spec struct {
	args   string   // short flags with a value
	longs  []string // long flags with a value in the next word
	single bool     // long flags begin with one dash
	first  bool     // flags end at the first operand
}

// parse splits words into flags and operands.
func parse(words []Word, s spec) (flags []flag, operands []Word) {
	for i := 0; i < len(words); i++ {
		w := words[i]
		t := w.Text
		switch {
		case t == "--":
			return flags, append(operands, words[i+1:]...)
		case len(t) < 2 || t[0] != '-' && t[0] != '+', t[0] == '+':
			operands = append(operands, w)
			if s.first {
				return flags, append(operands, words[i+1:]...)
			}
		case strings.HasPrefix(t, "--") || s.single:
			name, value, given := strings.Cut(t, "=")
			f := flag{name: name, value: value, given: given, word: w, arg: w}
			if !given && in(name, s.longs...) && i+1 < len(words) {
				i++
				f.value, f.given, f.arg = words[i].Text, true, words[i]
			}
			flags = append(flags, f)
		default:
			for j := 1; j < len(t); j++ {
				f := flag{name: "-" + t[j:j+1], word: w, arg: w}
				if strings.IndexByte(s.args, t[j]) >= 0 {
					f.given = true
					if f.value = t[j+1:]; f.value == "" && i+1 < len(words) {
						i++
						f.value, f.arg = words[i].Text, words[i]
					}
					flags = append(flags, f)
					break
				}
				flags = append(flags, f)
			}
		}
	}
	return flags, operands
}

// has returns the first flag of one of the names. A long name is also found by a
// beginning of at least five letters, as getopt would.
func has(flags []flag, names ...string) (flag, bool) {
	for _, f := range flags {
		for _, n := range names {
			if f.name == n || len(f.name) >= 5 && strings.HasPrefix(f.name, "--") && strings.HasPrefix(n, f.name) {
				return f, true
			}
		}
	}
	return flag{}, false
}

func with(flags []flag, names ...string) bool {
	_, ok := has(flags, names...)
	return ok
}
