package termsafe

import (
	"fmt"
	"strings"
)

// padding is how many blanks in a row are still shown as they are: more could move
// what follows to where nobody looks.
const padding = 8

// Unpad writes each run of more than eight blanks in s as how many they are:
// "‹300 blanks›". It is for a text that a person is to judge, after Visible.
func Unpad(s string) string {
	var b strings.Builder
	for s != "" {
		n := len(s) - len(strings.TrimLeft(s, " "))
		if n > padding {
			fmt.Fprintf(&b, "‹%d blanks›", n)
		} else {
			b.WriteString(s[:n])
		}
		s = s[n:]
		if i := strings.IndexByte(s, ' '); i >= 0 {
			b.WriteString(s[:i])
			s = s[i:]
			continue
		}
		b.WriteString(s)
		break
	}
	return b.String()
}
