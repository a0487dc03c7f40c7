// Package projects measures what a question calls up, in the memory of one person
// with several projects: how much of it is right, how much of what is right it is,
// whether nothing is called up where nothing is right, and whether anything of
// another project is.
//
//	make bench-recall DIR=bench/projects/testdata
//
// DIR has memory.jsonl, a memory as ken writes it, and questions.jsonl, one object
// a line:
//
//	{"here":"repo:example.org/a","about":"everyday","question":"...","right":[12]}
//
// Here is the scope in which it is asked, about the row of the table, and right
// the ids of the items that answer, none if none does. What goes with a question is
// chosen by recall.Activate, what is found by recall.Search, as in the program.
//
// The memory and the questions of testdata were made up for this. Who wrote the
// questions had the items in mind, so the figures tell more about changes
// than about what a stranger would get.
package projects
