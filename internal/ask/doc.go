// Package ask holds the questions that ken asks a person on a terminal: the alphabet of their
// answers, how a question looks, and what the keys that are pressed at it come to.
//
// # How to ask
//
// Say what is asked and which answers there are besides no:
//
//	q := ask.Question{Asks: "run it?", Choices: []ask.Choice{
//		{Answer: ask.Yes, Says: "run"}, {Answer: ask.Why}, {Answer: ask.Session},
//	}}
//	switch said, err := a.Person.Put(ctx, q); {
//	case err != nil: // nobody is there to be asked, or ctx ended
//	case said == ask.Yes:
//	}
//
// A question that yes or no answers is a.Person.Confirm(ctx, "forget it?"). There is no other way to
// ask for a key. An answer that is no text of the person's own, but has no key yet, is added to the table
// of this package; its key then means that in every question.
//
// # What counts
//
// No is easy and yes is strict. Enter is never a yes, nor is an end of input, Esc, Ctrl-C or Ctrl-D.
// A key answers once it stood alone for half a second, or with Enter behind it. What lasts is no key
// but a word (always, never), and a dangerous yes is the word yes: they are typed whole, with Enter. What is no
// answer says so and the question is put once more; then nothing is a yes without Enter, and a
// second one that is none is Stop. A paste and a burst of keys are no answer, and nothing of them is
// read by anybody else.
package ask
