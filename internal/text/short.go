package text

import "unicode"

// Short reports whether a text may stand in any sentence, so that to look for it in
// others would find what is about something else: less than four letters and
// digits, or one word of letters.
func Short(text string) bool {
	const fewest, longest = 4, 12
	letters, others := 0, 0
	digits := false
	for _, r := range Normal(text) {
		switch {
		case unicode.IsLetter(r) || unicode.IsMark(r):
			letters++
		case unicode.IsNumber(r):
			letters, digits = letters+1, true
		default:
			others++
		}
	}
	return letters < fewest || others == 0 && !digits && letters <= longest
}

// Whole returns the forms in which a text is all that a field of a line says.
func Whole(text string) []string {
	n := Normal(text)
	var forms []string
	for _, field := range []string{"content", "text", "summary", "cmd"} {
		forms = append(forms, `"`+field+`":"`+n+`"`, `"`+field+`": "`+n+`"`)
	}
	return forms
}
