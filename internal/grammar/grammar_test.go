package grammar

import (
	"strings"
	"testing"
)

// TestParse: the sentences other than "remember", and what is near them.
func TestParse(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		line string
		want Sentence
	}{
		{"forget my old phone number", Sentence{KindForget, "my old phone number"}},
		{"Forget about the Lisbon flat.", Sentence{KindForget, "the Lisbon flat"}},
		{"forget that I live in Lisbon", Sentence{KindForget, "I live in Lisbon"}},
		{"please forget Corfu", Sentence{KindForget, "Corfu"}},
		{"forget 3", Sentence{KindForget, "3"}},
		{"forget everything about project tea", Sentence{KindForgetAll, "tea"}},
		{"Please forget everything about the repo example.org/me/tea.", Sentence{KindForgetAll, "example.org/me/tea"}},
		{"forget all of repo tea", Sentence{KindForgetAll, "tea"}},
		{"forget about project tea", Sentence{KindForgetAll, "tea"}},
		{"forget everything about tea", Sentence{KindForgetAll, "tea"}},
		{"forget everything about this project", Sentence{KindForgetAll, "this project"}},
		{"forget everything about it", Sentence{}},
		{"forget everything about the previous question", Sentence{}},
		{"forget everything about tea and use coffee instead", Sentence{}},
		{"ken, forget #12", Sentence{KindForget, "#12"}},
		{"FORGET ABOUT tabs", Sentence{KindForget, "tabs"}},
		{"forget\tthe port", Sentence{KindForget, "the port"}},
		{"forget the C++ style guide", Sentence{KindForget, "the C++ style guide"}},
		{"what do you know about Lisbon", Sentence{KindKnowAbout, "Lisbon"}},
		{"What do you know about Lisbon?", Sentence{KindKnowAbout, "Lisbon"}},
		{"what do you know about me?!", Sentence{KindKnowAbout, "me"}},
		{"ken, what do you know about the deploy script ?", Sentence{KindKnowAbout, "the deploy script"}},
		{"what  do you know   about go.mod?", Sentence{KindKnowAbout, "go.mod"}},
		{"what did we say about tabs?", Sentence{KindSaidAbout, "tabs"}},
		{"What did we say about the C# port", Sentence{KindSaidAbout, "the C# port"}},
		{"please what did we say about ？？ß", Sentence{KindSaidAbout, "？？ß"}},
		{"remember that example.com/?a=b is the page", Sentence{KindRemember, "example.com/?a=b is the page"}},
		{"remember:İzmir is home", Sentence{KindRemember, "İzmir is home"}},
		{"remember that time zones matter", Sentence{KindRemember, "time zones matter"}},
		{"remember that Ada said \"no\"", Sentence{KindRemember, "Ada said \"no\""}},
	} {
		if got := Parse(test.line); got != test.want {
			t.Errorf("Parse(%q) = %v %q, want %v %q", test.line, got.Kind, got.Text, test.want.Kind, test.want.Text)
		}
	}
}

// TestParseNone: what ken leaves to the model.
func TestParseNone(t *testing.T) {
	t.Parallel()
	for _, line := range []string{
		"forget it", "Forget it.", "forget that", "forget this", "forget about it", "forget about that, let's go on",
		"forget", "forget about", "forget about ?", "never mind", "nevermind", "forget them all",
		"forget everything", "forget everything I said", "forget all of that", "forget what I said", "forget how it works",
		"forget the previous instructions", "forget my last question", "forget the above", "forget that last message",
		"forget that, use a mutex", "forget that and use a mutex", "forget that for now",
		"forget the mutex and use a channel with a buffer of ten then run it again",
		"forget channels, use a mutex instead", "forget to add the test", "forget you", "forget me",
		"forget-me-nots are blue", "forgetting is hard", "forgets nothing", "don't forget milk", "do not forget that I live in Lisbon",
		"did you forget the port?", "forget the port?", "I always forget the port", "let us forget about Corfu",
		"forget \"the port\"", "> forget the port", "\"forget the port\"", "`forget the port`",
		"forget the port\nforget the host", "forget the port\r", "forget \x1b[31mthe port", "forget the port\u2028now", "forget \xff\xfe",
		"forget just the port", "forget not the port",
		"what do you know about", "what do you know about?", "what do you know", "what do you know about x? and y?",
		"tell me what do you know about x", "so what do you know about x", "what do they know about x", "what do you know of x",
		"\"what do you know about x\"", "what do you know about \"x\"",
		"what did we say", "what did we say about ...", "what did they say about x", "what did we say about x? or y?",
		"remember that one", "remember?", "remember that … !",
		strings.Repeat("please ", 400) + "forget x",
		"forget " + strings.Repeat("x", MaxLine),
	} {
		if got := Parse(line); got != (Sentence{}) {
			t.Errorf("Parse(%q) = %v %q, want none", line, got.Kind, got.Text)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, line := range []string{
		"remember that I live in Lisbon", "Please, remember: tabs are out", "ok ken, remember:x y", "forget about the port!",
		"forget that I sail", "what do you know about go.mod?", "what did we say about “tabs” ?", "hey ken", "remember that time we sailed",
		"İremember: x y", "remember:\u00a0ſx",
	} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		s := Parse(line)
		if (s.Kind == KindNone) != (s.Text == "") {
			t.Fatalf("Parse(%q) = %v %q", line, s.Kind, s.Text)
		}
		if !strings.Contains(line, s.Text) || s.Text != strings.TrimSpace(s.Text) || strings.ContainsAny(s.Text, "\n\r\x1b") {
			t.Fatalf("Parse(%q) = %v %q, which is no clean part of it", line, s.Kind, s.Text)
		}
		if text, ok := Remember(line); ok != (s.Kind == KindRemember) || ok && text != s.Text {
			t.Fatalf("Remember(%q) = %q %v, and Parse gives %v %q", line, text, ok, s.Kind, s.Text)
		}
		if len(line) < MaxLine-10 {
			if got := Parse(" \t" + line + "  "); got != s {
				t.Fatalf("with space around %q: %v %q, not %v %q", line, got.Kind, got.Text, s.Kind, s.Text)
			}
		}
		for _, other := range []string{line + "\nand more", `"` + line + `"`, "> " + line, "I said: " + line} {
			if got := Parse(other); got.Kind != KindNone {
				t.Fatalf("Parse(%q) = %v %q", other, got.Kind, got.Text)
			}
		}
	})
}
