package llm

import (
	"regexp"
	"strconv"
	"strings"

	"ken/internal/llm/discover"
)

// TooLong reports whether the server refused the request because it does not
// fit the model's context. Servers have no common code for it.
func (e *Error) TooLong() bool {
	if e.Kind != BadRequest && e.Kind != Server && e.Kind != NotFound {
		return false
	}
	return e.window > 0 || containsAny(strings.ToLower(e.Code+" "+e.Message+" "+e.Head),
		"context_length", "context length", "context window", "context size", "exceed_context",
		"prompt is too long", "prompt too long", "input is too long", "too long to fit", "maximum context", "too many tokens",
		"context limit", "maximum number of tokens", "maximum prompt length", "maximum model length",
		"reduce the length", "token limit",
	)
}

// Window returns how many tokens the model takes by the words of a refusal for length; 0 if they do not say
// it, or the request was refused for something else.
func (e *Error) Window() int {
	if !e.TooLong() {
		return 0
	}
	if e.window > 0 {
		return e.window
	}
	text := strings.ToLower(e.Message + "\n" + e.Head)
	for _, find := range []string{above, most, named} {
		if m := regexp.MustCompile(find).FindStringSubmatch(text); m != nil {
			if n := tokensIn(m[1]); n > 0 {
				return n
			}
		}
	}
	return 0
}

// Sent returns how many tokens the request had by the words of a refusal for length: the most that they
// name, if that is more than the window; else 0.
func (e *Error) Sent() int {
	window, n := e.Window(), 0
	if window == 0 {
		return 0
	}
	for _, number := range regexp.MustCompile(`\b`+number+`\b`).FindAllString(e.Message+"\n"+e.Head, -1) {
		n = max(n, tokensIn(number))
	}
	if n = max(n, e.sent); n <= window {
		return 0
	}
	return n
}

// How servers say a limit, in small letters. What they count of the request stands in the same sentence, so that
// what is between the words and the number may be nothing but a few words that say no more.
const (
	number = `\d{1,3}(?:[,_]\d{3})+|\d+`
	// "210000 tokens > 200000 maximum", "must be <= 4097"
	above = `(?:\s>|<=|≤)\s*(` + number + `)\b`
	// "too large for model with 32768 maximum context length"
	most = `\b(` + number + `)(?: tokens?)? max(?:imum)?\b`
	// "maximum context length is 4097", "context size (4096 tokens)", "maximum number of tokens allowed (32768)"
	named = `(?:context[ _](?:length|window|size|limit)|max(?:imum)?[ _](?:\w+[ _]){0,2}(?:len|length)|maximum number of tokens|` +
		`token limit|(?:can ?not|not|must not) exceed)` +
		`(?:[\s:=('"` + "`" + `]|is|of|only|just|allowed|set|to|equal|tokens?)*[\s:=(](` + number + `)\b`
)

// tokensIn is a number of tokens that a window may have; else 0.
func tokensIn(text string) int {
	const least = 256
	n, err := strconv.Atoi(strings.NewReplacer(",", "", "_", "").Replace(text))
	if err != nil || n < least || n > discover.MostWindow {
		return 0
	}
	return n
}
