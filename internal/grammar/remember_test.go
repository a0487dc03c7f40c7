package grammar

import (
	"strings"
	"testing"
)

// TestR155Remember: what is kept, and what is near it and must not be.
func TestR155Remember(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"remember that I live in Lisbon":                   "I live in Lisbon",
		"Remember that I live in Lisbon.":                  "I live in Lisbon.",
		"REMEMBER THAT the build needs Go":                 "the build needs Go",
		"  remember that  tabs are out  ":                  "tabs are out",
		"remember: tabs are out":                           "tabs are out",
		"Remember: the port is 8080":                       "the port is 8080",
		"remember that: the port is 8080":                  "the port is 8080",
		"please remember that I hate mocks":                "I hate mocks",
		"Please, remember that I hate mocks":               "I hate mocks",
		"please remember: I hate mocks":                    "I hate mocks",
		"ken, remember that I hate mocks":                  "I hate mocks",
		"Ken remember that I hate mocks":                   "I hate mocks",
		"hey ken, please remember that I hate mocks":       "I hate mocks",
		"ok ken, remember: we ship on Fridays":             "we ship on Fridays",
		"remember that don't use tabs":                     "don't use tabs",
		"remember that the day off is Monday":              "the day off is Monday",
		"remember that 8080 is taken":                      "8080 is taken",
		"remember that my name is Ada":                     "my name is Ada",
		"remember that it's `make check`, not `make test`": "it's `make check`, not `make test`",
		"remember: ich wohne in Köln":                      "ich wohne in Köln",
		"remember: 我住在里斯本":                                 "我住在里斯本",
		"remember that one":                                "",
		"remember that":                                    "",
		"remember that ":                                   "",
		"remember that.":                                   "",
		"remember that it":                                 "",
		"remember:":                                        "",
		"remember":                                         "",
		"remember me":                                      "",
		"remember to buy milk":                             "",
		"remember when we sailed to Corfu":                 "",
		"remember that time we sailed to Corfu":            "",
		"Remember that day in Corfu":                       "",
		"remember that night, on the boat":                 "",
		"remember that song from the radio":                "",
		"remember that movie with the robot":               "",
		"remember that trip":                               "",
		"remember that one bug in the parser":              "",
		"remember that guy from the meeting":               "",
		"remember that I live in Lisbon?":                  "",
		"do you remember that I live in Lisbon":            "",
		"do you remember that?":                            "",
		"can you remember that I live in Lisbon?":          "",
		"I remember that I lived in Lisbon":                "",
		"i will remember that you said so":                 "",
		"I can't remember that at all":                     "",
		"what do you remember that I said":                 "",
		"he said: remember that I live in Lisbon":          "",
		`"remember that I live in Lisbon"`:                 "",
		"> remember that I live in Lisbon":                 "",
		"“remember that I live in Lisbon”":                 "",
		"`remember that x is y`":                           "",
		"remember that first line\nsecond line":            "",
		"remember that a\rb c d":                           "",
		"remembering that is hard":                         "",
		"remembered that I live in Lisbon":                 "",
		"remember thatch roofs burn":                       "",
		"kenneth, remember that I hate mocks":              "",
		"pleased to remember that day":                     "",
		"never mind":                                       "",
		"forget it":                                        "",
		"forget that I live in Lisbon":                     "",
		"don't remember that I live in Lisbon":             "",
		"write a function that can remember that value":    "",
		"how do I make vim remember that I was on line 3":  "",
		"git config --global remember that":                "",
		"remember, that is not what I said":                "",
		"must remember that I live in Lisbon":              "",
		"note: remember that I live in Lisbon":             "",
		"TODO remember that I live in Lisbon":              "",
		"please":                                           "",
		"ken":                                              "",
		"ken, please":                                      "",
		"":                                                 "",
		" ":                                                "",
		"remember that " + strings.Repeat("long ", 1000):   "",
	} {
		got, ok := Remember(line)
		if ok != (want != "") || ok && got != want {
			t.Errorf("Remember(%q) = %q, %t, want %q", line, got, ok, want)
		}
	}
}
