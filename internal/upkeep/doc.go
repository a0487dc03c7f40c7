// Package upkeep is what happens to a memory by itself: after a write, a turn, a
// conversation. Pages follow the memory, hygiene puts away what is not used, and what
// was said is read for candidates.
//
// A face says what happened, by After, and nothing else; what is due then is decided
// here. A fault is a warning and stops nothing: nobody who leaves is held up by upkeep,
// and no answer is lost to it. What was done is a note with the command that takes it
// back. Of anybody but the person (a model, a tool, nobody) nothing is done.
//
// # Rooms
//
// Package page writes MEMORY.md, package extract reads conversations for candidates.
// What is due is package lifecycle's to say.
package upkeep
