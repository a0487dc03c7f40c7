// Package patterns finds what several memories have in common, and checks what somebody
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
// A draft may abstract: put a class for its members ("dependencies"), say how far something holds
// ("always"), give a reason, join what several memories say. What of it stands in none of the cited
// memories as it is said there is named (Pattern.Beyond), and a person decides (judge.go).
//
// Refused is what a memory contradicts: what is denied on one side and said on the other, another value
// in the same place ("with yarn" for "with pnpm"), what stands before and behind a "before", who does
// what to whom. So is a number, a path or a name that no memory has, a number or a name that is said of
// something else there, a citation that shares no subject with it, a check that is lifted, what is
// written for who reads the prompt, and a secret. Other memories that are in force are asked as well.
//
// # Laws
//
//   - The same memories and answer give the same groups, drafts and verdicts.
//   - What is cited was shown in one group, and stands at the time of the check.
//   - No pattern is more trusted than what it cites (Pattern.Origin), or holds elsewhere.
//   - No draft is a rule, and none says whose word it is.
//   - A memory, taken for a draft that cites it, goes beyond nothing.
//
// # Caveats
//
// The check reads words, not meanings: it knows no class of another word, and what is true or false of
// words that no memory has is for the person to say. Names are known by their capital letter, by where
// they stand and by what stands there in a memory; in doubt a draft is refused. What single words do to
// a sentence is data of some ten languages (words.txt).
package patterns
