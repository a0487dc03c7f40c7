// Package synth finds what several memories have in common, and checks what somebody
// says that they come to. It is pure: no model is asked here, and nothing is written.
//
//	Clusters   memories -> groups that speak of one matter (cluster.go)
//	Material   groups -> lines of JSON, as a model is shown them (answer.go)
//	Read       its answer -> drafts, or nothing (answer.go)
//	Check      a draft -> a pattern with what it rests on, or the reason why not (check.go)
//
// # How memories are grouped
//
// A memory is the set of the stems of its words; a word counts the more, the fewer of the
// memories have it. Groups are merged while the mean likeness between their members is at
// least alike. Memories of different scopes are never in one group.
//
// # How a draft is checked
//
// Each sentence of a draft, and each claim beside it, has to stand in one of the memories
// that it cites: every word that carries meaning by its stem; numbers, names, paths and
// flags as they are written. Who does what to whom is read off the order of the words;
// what is denied, forbidden, or holds under a condition only, is so in both or in neither.
// A list ("tabs and spaces break it") may rest on a memory for each of its members. A
// citation that says nothing of the matter, or the contrary, fails the draft as well.
//
// # Laws
//
//   - The same memories and answer give the same groups, drafts and verdicts.
//   - What is cited was shown in one group, and stands at the time of the check.
//   - No pattern is more trusted than what it cites (Pattern.Origin), or holds elsewhere.
//   - No draft is a rule, and none says whose word it is.
//   - A memory, taken for a draft that cites it, passes the check of its words.
//
// # Caveats
//
// The check reads words, not meanings. It would rather refuse ten good drafts than pass one
// that says what no memory says; and it does not see that a sentence leaves out a part that
// limited it ("on Fridays"). So a person is asked about each.
package synth
