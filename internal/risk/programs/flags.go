package programs

import "strings"

// A typedFlag is a flag as it stands in a command.
type typedFlag struct {
	Name  string // "-x" or "--long"
	Value string
	Given bool // there is a value
	Word  Word
	Arg   Word // the word of the value
	After int  // how many operands stand before it
}

// A flagSpec says which flags take a value. Flags that it does not list take none,
// unless "--long=value" says so.
type flagSpec struct {
	Args   string   // short flags with a value
	Rest   string   // short flags whose value, if they have one, stands in the same word
	Longs  []string // long flags with a value in the next word
	Single bool     // long flags begin with one dash
	First  bool     // flags end at the first operand
}

// parse splits words into flags and operands.
func parse(words []Word, s flagSpec) (flags []typedFlag, operands []Word) {
	operands = make([]Word, 0, len(words))
	for i := 0; i < len(words); i++ {
		w := words[i]
		t := w.Text
		switch {
		case t == "--":
			return flags, append(operands, words[i+1:]...)
		case len(t) < 2 || t[0] != '-' && t[0] != '+', t[0] == '+':
			operands = append(operands, w)
			if s.First {
				return flags, append(operands, words[i+1:]...)
			}
		case strings.HasPrefix(t, "--") || s.Single:
			name, value, given := strings.Cut(t, "=")
			f := typedFlag{Name: name, Value: value, Given: given, Word: w, Arg: w, After: len(operands)}
			if !given && (isOneOf(name, s.Longs...) || s.Single && len(name) > 2 && isOneOf(name[1:], s.Longs...)) && i+1 < len(words) {
				i++
				f.Value, f.Given, f.Arg = words[i].Text, true, words[i]
			}
			flags = append(flags, f)
		default:
			for j := 1; j < len(t); j++ {
				f := typedFlag{Name: "-" + t[j:j+1], Word: w, Arg: w, After: len(operands)}
				if strings.IndexByte(s.Rest, t[j]) >= 0 {
					f.Value, f.Given = t[j+1:], j+1 < len(t)
					flags = append(flags, f)
					break
				}
				if strings.IndexByte(s.Args, t[j]) >= 0 {
					f.Given = true
					if f.Value = t[j+1:]; f.Value == "" && i+1 < len(words) {
						i++
						f.Value, f.Arg = words[i].Text, words[i]
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
func has(flags []typedFlag, names ...string) (typedFlag, bool) {
	for _, f := range flags {
		for _, n := range names {
			if f.Name == n || len(f.Name) >= 5 && strings.HasPrefix(f.Name, "--") && strings.HasPrefix(n, f.Name) {
				return f, true
			}
		}
	}
	return typedFlag{}, false
}

// with says that one of the flags is there.
func with(flags []typedFlag, names ...string) bool {
	_, ok := has(flags, names...)
	return ok
}
