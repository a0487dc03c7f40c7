// Package rank measures how good recall is: questions about long conversations, and the
// turns that answer them. It imports the conversations with the real program, asks
// all questions through one process, and tells how many of the right turns came
// first; what each part of the score is worth, by leaving it out; how often nothing
// is found for a question about another conversation, where nothing is right; and
// the time per question.
//
//	make bench-recall DIR=path/to/data
//
// DIR has turns.jsonl and questions.jsonl, one object a line:
//
//	{"id":"c/1:3","conv":"c","date":"2025-03-02T18:10","session":1,"speaker":"Ada","text":"...","caption":"..."}
//	{"id":"c/q1","conv":"c","category_name":"temporal","question":"...","evidence":["c/1:3"],"scored":true}
//
// The turns stand in the order in which they were said. A caption is what a picture
// shows that was sent with the text, and may be missing. The conversations of
// testdata were made up for the tests.
package rank
