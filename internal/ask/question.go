package ask

import (
	"slices"
	"strings"
)

// An Answer is what a person may say to a question. It is the word that says the same as its key.
type Answer string

// The answers. Each has one key, which means it in every question.
const (
	Yes     Answer = "yes"     // this once
	No      Answer = "no"      // the default of each question, unless that says otherwise
	Edit    Answer = "edit"    // otherwise than it stands there
	Why     Answer = "why"     // say more of it, and ask again
	Session Answer = "session" // yes, for as long as this conversation lasts
	Always  Answer = "always"  // yes, for good
	Never   Answer = "never"   // no, for good
	Stop    Answer = "quit"    // no, and nothing more of the kind is asked; Ctrl-C and the end of input are it too
	More    Answer = "more"    // show the rest of it
	Copy    Answer = "copy"    // to the clipboard
	Try     Answer = "try"     // aside, where nothing is changed
	Later   Answer = "later"   // ask another day
	Kind    Answer = "kind"    // it is of another kind
	Where   Answer = "where"   // it holds elsewhere
	Because Answer = "reason"  // no, and the person says why
	All     Answer = "all"     // the whole of it, not a part
	Next    Answer = "next"    // leave it as it is and go on; Enter alone says it
)

// A letter is an answer and its key; a key of 0 is none: the word is typed.
type letter struct {
	answer Answer
	key    byte
}

// alphabet has each answer that can be typed.
func alphabet() []letter {
	return []letter{
		{Yes, 'y'},
		{No, 'n'},
		{Edit, 'e'},
		{Why, '?'},
		{Session, 's'},
		{Stop, 'q'},
		{More, 'm'},
		{Copy, 'c'},
		{Try, 't'},
		{Later, 'l'},
		{Kind, 'k'},
		{Where, 'w'},
		{Because, 'r'},
		{Always, 0},
		{Never, 0},
		{All, 0},
	}
}

// A Choice is an answer that a question offers.
type Choice struct {
	Answer Answer
	Says   string // what it does here; "" is its own word
	Hidden bool   // it is not named: another answer tells of it
}

// A Question is what a person is asked.
type Question struct {
	Asks    string // the last line of it stands before the choices
	Choices []Choice
	No      string // what no does here; "" is its own word
	// Enter is what Enter alone says; "" is No. What lets something in or lasts is No all the same.
	Enter Answer
	// Danger says that Yes is the whole word with Enter.
	Danger bool
}

// Confirm is a question that yes or no answers.
func Confirm(asks string) Question {
	return Question{Asks: asks, Choices: []Choice{{Answer: Yes}}}
}

// Text is the question as it is shown: what is asked, the answers with what is typed for each in brackets, the one
// that Enter gives last and as a capital.
func (q Question) Text() string {
	var b strings.Builder
	b.WriteString(q.Asks)
	last := q.enter()
	show := func(c Choice) {
		typed, says := q.typed(c.Answer), c.Says
		if c.Answer == Next {
			typed = enterKey
		}
		if says == "" && typed != string(c.Answer) {
			says = string(c.Answer)
		}
		if c.Answer == last && last != Next {
			typed = strings.ToUpper(typed)
		}
		b.WriteString(strings.TrimSpace("[" + typed + "] " + says))
	}
	if !strings.HasSuffix(q.Asks, "\n") {
		b.WriteByte(' ')
	}
	ending := Choice{Answer: No, Says: q.No}
	for _, c := range q.Choices {
		switch {
		case c.Answer == last:
			ending = c
		case !c.Hidden:
			show(c)
			b.WriteString("  ")
		}
	}
	show(ending)
	return b.String() + " > "
}

// enterKey is what stands for Enter where no other key says the same.
const enterKey = "Enter"

// IsKey reports whether a word is what a question shows of what is typed for an answer, as in [y] or [always].
func IsKey(word string) bool {
	if len(word) < 3 || word[0] != '[' || word[len(word)-1] != ']' {
		return false
	}
	typed := strings.ToLower(word[1 : len(word)-1])
	return typed == strings.ToLower(enterKey) || typed == string(Yes) || slices.ContainsFunc(alphabet(), func(l letter) bool {
		return l.key == 0 && typed == string(l.answer) || l.key != 0 && typed == string(rune(l.key))
	})
}

// typed is what a person types for an answer.
func (q Question) typed(a Answer) string {
	for _, l := range alphabet() {
		if l.answer == a && l.key != 0 && (a != Yes || !q.Danger) {
			return string(rune(l.key))
		}
	}
	return string(a)
}

// lets reports whether an answer lets something be that was not.
func (a Answer) lets() bool { return a == Yes || a == Session || a == Always || a == All }

// enter is what Enter says.
func (q Question) enter() Answer {
	if q.Enter == "" || q.Enter.lets() || q.Enter == Never || !q.offers(q.Enter) {
		return No
	}
	return q.Enter
}

// offers reports whether an answer is one of this question: no and stop always are.
func (q Question) offers(a Answer) bool {
	if a == No || a == Stop {
		return true
	}
	return slices.ContainsFunc(q.Choices, func(c Choice) bool { return c.Answer == a })
}

// Of is the answer that a whole line is; ok is false if it is none.
func (q Question) Of(line string) (a Answer, ok bool) {
	word := strings.ToLower(strings.TrimSpace(line))
	if word == "" {
		return q.enter(), true
	}
	for _, l := range alphabet() {
		if q.offers(l.answer) && (word == string(l.answer) || word == q.typed(l.answer)) {
			return l.answer, true
		}
	}
	return "", false
}

// begins reports whether a line may become the word of an answer that has no key here.
func (q Question) begins(line string) bool {
	word := strings.ToLower(line)
	for _, c := range q.Choices {
		if whole := q.typed(c.Answer); len(whole) > 1 && strings.HasPrefix(whole, word) {
			return true
		}
	}
	return false
}
