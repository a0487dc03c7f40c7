// Package learn finds what could be learned of one person's conversations and memories, and leads each of it to where it belongs: a
// lesson, a pattern, a rule, a skill.
//
// Find asks every finder, and sorts what they find by its worth. Each finder works without a model:
//
//	correction  a command that the person ran in the place of one that was offered, refused or that failed (package retrospect)
//	wish        what they asked for again and again (package friction): the draft of a skill
//	pattern     memories that speak of one matter (package synth)
//	rule        commands that they did not let run (package upkeep/ruling)
//	skill       what failed or was corrected by hand over and over (package friction), and drafts that wait to become skills
//	statement   what they stated and nobody kept (package distill)
//
// # Worth
//
// The order is computed from what each finding rests on: how often it was seen, how new it is, and how dear it was.
//
//	worth = new x (times x danger + tokens/1000)
//
//	times   how often the person had to step in: corrections, refusals, wishes typed again, memories of a group
//	danger  2 where the command is of level danger, else 1
//	tokens  what the answers concerned took, or what the memories concerned take of a prompt: a thousand tokens count as one time
//	new     1 for what was seen now, half of it for each 14 days since
//
// Of two that are worth the same the one stands first whose sort does in the list above.
//
// # Laws
//
//   - Find writes nothing and asks no model.
//   - No finding is memory, a rule, an approval or a lower risk. It becomes a proposal by Propose, and a memory by the person's yes.
//   - What the person refused, what waits and what is known is not found again.
//   - A finder that fails costs its own findings, and is a warning.
package learn
