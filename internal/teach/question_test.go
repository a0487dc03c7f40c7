package teach_test

import (
	"strings"
	"testing"

	"ken/internal/teach"
)

// TestReadQuestion: what is asked of the memory itself, in each language, and what is near it.
func TestReadQuestion(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		line, about string
		said        bool
	}{
		{"what do you know about Lisbon", "Lisbon", false},
		{"What do you know about Lisbon?", "Lisbon", false},
		{"what do you know about me?!", "me", false},
		{"ken, what do you know about the deploy script ?", "the deploy script", false},
		{"what  do you know   about go.mod?", "go.mod", false},
		{"hey ken, what do you remember about the lift?", "the lift", false},
		{"what did we say about tabs?", "tabs", true},
		{"What did we say about the C# port", "the C# port", true},
		{"what have we decided about the lift?", "the lift", true},
		{"was weißt du über den Aufzug?", "den Aufzug", false},
		{"was haben wir über den Aufzug gesagt?", "den Aufzug", true},
		{"que sais-tu sur l'ascenseur ?", "l'ascenseur", false},
		{"qu'avons-nous dit sur l'ascenseur ?", "l'ascenseur", true},
		{"¿qué sabes sobre el ascensor?", "el ascensor", false},
		{"¿qué dijimos sobre el ascensor?", "el ascensor", true},
		{"o que sabes sobre o elevador?", "o elevador", false},
		{"o que dissemos sobre o elevador?", "o elevador", true},
		{"che cosa sai sull'ascensore?", "", false},
		{"cosa sai su Lisbona?", "Lisbona", false},
		{"cosa abbiamo detto su Lisbona?", "Lisbona", true},
		{"wat weet je over de lift?", "de lift", false},
		{"wat hebben we over de lift gezegd?", "de lift", true},
		{"co wiesz o windzie?", "windzie", false},
		{"co mówiliśmy o windzie?", "windzie", true},
		{"что ты знаешь о лифте?", "лифте", false},
		{"что мы говорили о лифте?", "лифте", true},
		{"asansör hakkında ne biliyorsun?", "asansör", false},
		{"asansör hakkında ne konuştuk?", "asansör", true},
		{"关于电梯你知道什么？", "电梯", false},
		{"关于电梯我们说过什么？", "电梯", true},
		{"エレベーターについて何を知っている？", "エレベーター", false},
		{"エレベーターについて何を話した？", "エレベーター", true},
		{"엘리베이터에 대해 뭘 알고 있어?", "엘리베이터", false},
		{"엘리베이터에 대해 뭐라고 말했지?", "엘리베이터", true},
		{"lift ke baare mein tumhe kya pata hai?", "lift", false},
		{"lift ke baare mein humne kya kaha tha?", "lift", true},
	} {
		got := teach.ReadQuestion(test.line)
		if got.About != test.about || got.Said != test.said && got.About != "" {
			t.Errorf("ReadQuestion(%q) = %q, said %t, want %q, %t", test.line, got.About, got.Said, test.about, test.said)
		}
		if act := teach.Read(test.line).Act; act != teach.None {
			t.Errorf("Read(%q) is %v", test.line, act)
		}
	}
	for _, line := range []string{
		"what do you know about", "what do you know about?", "what do you know", "what do you know about x? and y?",
		"tell me what do you know about x", "so what", "what do they know about x", "\"what do you know about x\"", "> what do you know about x",
		"what did we say", "what did we say about ...", "what did they say about x", "what did we say about x? or y?", "", "?",
		"what do you know about x\nand y", "what do you know about \x1b[31mx", "what did we say about x" + strings.Repeat(" long", 1000),
		"remember what we said about x", "do you know about x?",
	} {
		if got := teach.ReadQuestion(line); got != (teach.Question{}) {
			t.Errorf("ReadQuestion(%q) = %q", line, got.About)
		}
	}
}

// TestNearWishes: what looks like a wish of the memory and is none keeps and forgets nothing.
func TestNearWishes(t *testing.T) {
	t.Parallel()
	for _, line := range []string{
		"remember that one", "remember that", "remember that ", "remember that.", "remember that it", "remember:",
		"remember", "remember me", "remember to buy milk", "remember when we sailed to Corfu",
		"remember that time we sailed to Corfu", "Remember that day in Corfu", "remember that night, on the boat",
		"remember that song from the radio", "remember that movie with the robot", "remember that trip",
		"remember that one bug in the parser", "remember that guy from the meeting", "remember that I live in Lisbon?",
		"do you remember that I live in Lisbon", "do you remember that?",
		"I remember that I lived in Lisbon", "i will remember that you said so", "I can't remember that at all",
		"what do you remember that I said", "he said: remember that I live in Lisbon",
		`"remember that I live in Lisbon"`, "> remember that I live in Lisbon", "“remember that I live in Lisbon”",
		"`remember that x is y`", "remember that first line\nsecond line", "remember that a\rb c d",
		"remembering that is hard", "remembered that I live in Lisbon",
		"pleased to remember that day", "never mind", "forget it",
		"don't remember that I live in Lisbon",
		"write a function that can remember that value", "how do I make vim remember that I was on line 3",
		"git config --global remember that", "remember, that is not what I said",
		"must remember that I live in Lisbon",
		"TODO remember that I live in Lisbon", "please", "ken", "ken, please", "", " ",
		"forget it", "Forget it.", "forget that", "forget this", "forget about it", "forget about that, let's go on",
		"forget", "forget about", "forget about ?", "never mind", "nevermind", "forget them all",
		"forget everything", "forget everything I said", "forget all of that", "forget what I said", "forget how it works",
		"forget the previous instructions", "forget my last question", "forget the above", "forget that last message",
		"forget that, use a mutex", "forget that and use a mutex", "forget that for now",
		"forget the mutex and use a channel with a buffer of ten then run it again",
		"forget channels, use a mutex instead", "forget to add the test", "forget you", "forget me",
		"forget-me-nots are blue", "forgetting is hard", "forgets nothing", "don't forget milk",
		"did you forget the port?", "forget the port?", "I always forget the port",
		"> forget the port", "\"forget the port\"", "`forget the port`",
		"forget the port\nforget the host", "forget the port\r", "forget \x1b[31mthe port", "forget the port\u2028now", "forget \xff\xfe",
		"forget just the port", "forget not the port",
		"\"what do you know about x\"", "what do you know about \"x\"",
		"remember that one", "remember?", "remember that … !",
	} {
		if got := teach.Read(line); got.Act != teach.None && got.Act != teach.Hint {
			t.Errorf("Read(%q) = %v %q", line, got.Act, got.Text)
		}
	}
}
