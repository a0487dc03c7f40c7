package edit

import "strings"

// unescaped is rung 3: the quoted text with its escapes read. Who writes \n for a line break
// does so for every one, so \n, \t and \" are read where no line break, no tab and no quote
// stands as it is. \\ may be meant or not: if both readings are found they must agree.
func unescaped(b *body, w Want) (found, error) {
	both := strings.Trim(w.Old, "\n") + strings.Trim(w.New, "\n")
	set := ""
	for _, e := range []struct{ bare, letter string }{{"\n", "n"}, {"\t", "t"}} {
		if !strings.Contains(both, e.bare) {
			set += e.letter
		}
	}
	if !strings.Contains(strings.ReplaceAll(both, `\"`, ""), `"`) {
		set += `"`
	}
	var first found
	became := ""
	for _, set := range []string{set + `\`, set} {
		old, now := unescape(w.Old, set), unescape(w.New, set)
		if old == w.Old {
			continue
		}
		places := occurrences(b.lf, old)
		switch {
		case len(places) == 0:
			continue
		case len(places) > 1:
			return found{}, b.ambiguous(places, strings.Count(b.lf, old))
		case old == now:
			return found{}, &Refusal{Why: NoChange}
		case closed(old) && !closed(now):
			return found{}, &Refusal{Why: Readings} // a \n in a string of the program became a line break
		}
		f, err := exactly(b, Want{Old: old, New: now})
		if err != nil {
			return found{}, err
		}
		f.how = Escaped
		if after := b.with(f.cuts); became == "" {
			first, became = f, after
		} else if became != after {
			return found{}, &Refusal{Why: Readings}
		}
	}
	return first, nil
}

// unescape reads the escapes of set: letters that stand behind a backslash.
func unescape(text, set string) string {
	var sb strings.Builder
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c != '\\' || i+1 == len(text) || strings.IndexByte(set, text[i+1]) < 0 {
			sb.WriteByte(c)
			continue
		}
		i++
		switch text[i] {
		case 'n':
			sb.WriteByte('\n')
		case 't':
			sb.WriteByte('\t')
		default:
			sb.WriteByte(text[i])
		}
	}
	return sb.String()
}

// closed says that each line of text has an even number of double quotes.
func closed(text string) bool {
	for line := range strings.Lines(text) {
		if strings.Count(strings.ReplaceAll(line, `\"`, ""), `"`)%2 == 1 {
			return false
		}
	}
	return true
}
