// Package expected reads and runs the tests of a memory: "on this question, in this
// directory: these memories, not those". A test is a table of a TOML file:
//
//	[[test]]
//	name  = "deploying knows the region"   # may be missing
//	ask   = "how do I deploy tea?"
//	in    = "~/src/tea"                    # where the person stands
//	at    = 2026-11-23                     # when
//	these = ["#12", "eu-west-1"]
//	not   = ["#9"]
//
// "#12" is a memory by its reference, or what replaced it; any other text is found in what
// a memory says, whatever the case of its letters and its blanks. Those of "these" have
// to go with the question, called up or in the start-up block; those of "not" must not.
//
// Files stand in tests/ beside the memory, and in .ken/tests/ of a repository. One of a
// repository speaks of that repository alone: its "in" leads nowhere else.
//
// # Laws
//
//   - A test changes nothing: what it finds counts as no use, and nobody is asked.
//   - What cannot be read or run fails, and says why. An unknown field is a fault.
//
// # Caveats
//
// A test is what a new conversation would be given: the start-up block as it would be
// chosen there and then. Where an embedding model is configured it is asked, as it is for a question.
package expected
