// Package evolve makes of what comes again and again in conversations (package friction) the draft of a skill, if the person
// asks for it: one in a run, as a model judged or as the person wrote it, and nothing that would count before they promote it.
//
//	Take     what the newest conversations show, less what skills, drafts and refused drafts are there for (look.go)
//	Ask      a model that judges, and what it proposes, read strictly (judge.go)
//	Make     the proposal checked, then the draft, its proposal in the queue, and the line of the audit (run.go)
//	History  what was made so far, and what became of it (history.go)
//
// # Laws
//
//   - A run makes one draft at most; of two runs at once one is refused.
//   - What a model answers is a whole valid proposal, or nothing is written.
//   - The text of a draft is in no prompt, nor in the queue: that has its name, what it is for, its file and its digest.
//   - What was refused is not made again in other words.
//   - After a crash at any step there is nothing, or a whole draft; the next run adds the proposal and the line that it lacks.
//
// # Caveats
//
// That two texts mean the same is a guess by their words. What a body tells a model to do it may do once it is promoted, behind the
// same questions as ever; what looks like an attempt is told with the draft.
package evolve
