// Package learn finds what could be learned of one person's conversations and memories, and leads each of it to where it belongs: a
// lesson, a pattern, a rule, a skill.
//
// One pipeline has five finders. Each reads evidence, has a model or the person draft what it comes to, checks the draft against the
// evidence, and proposes it; the person decides, and takes back.
//
//	           find              draft                  check            propose
//	extract    ReadConversation  Candidates             Fresh            Conversation.Propose   what a conversation states
//	lessons    Find              of what was seen       said, refused    the look back asks     what the person corrected
//	patterns   ReadGroups        Groups.Ask, Own        patterns.Check   Groups.Propose         what memories come to
//	rules      ReadRuleLook      RuleLook.Ask           ReadRules        RuleLook.Propose       what they did not let run
//	skills     ReadHabits        AskSkill, or by hand   SkillRun.Make    SkillRun.Make          what comes again and again
//
// Find asks all of them at once, without a model, and sorts what they find by its worth:
//
//	correction  a command that the person ran in the place of one that was offered, refused or that failed (package learn/lessons)
//	wish        what they asked for again and again (package learn/habits): the draft of a skill
//	pattern     memories that speak of one matter (package learn/patterns)
//	rule        commands that they did not let run
//	skill       what failed or was corrected by hand over and over (package learn/habits), and drafts that wait to become skills
//	statement   what they stated and nobody kept (package learn/extract)
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
//   - To find writes nothing and asks no model. A model is asked only because a person began it, or, of their own conversation, wrote a
//     policy that does; it is shown no secret.
//   - Nothing that a model or a tool says is memory, a rule, an approval or a lower risk by itself: it is a proposal, and the person says
//     yes, or a policy that they wrote lets in what they typed themselves (memory.auto_extract, decision 26).
//   - What a model answers is a whole valid answer, or nothing of it counts. A fault of it costs its drafts and nothing else.
//   - What is proposed cites what stands as it was shown, by one append: who is stopped has proposed all or nothing.
//   - What waits, was refused or is known is not found or proposed again, nor in other words.
//   - A run makes one draft of a skill at most; of two runs at once one is refused. The text of a draft is in no prompt, nor in the queue.
//     After a crash at any step there is nothing, or a whole draft; the next run adds the proposal and the line of the audit.
//   - A finder that fails costs its own findings, and is a warning.
//
// # Caveats
//
// That two texts mean the same is a guess by their words. What the body of a skill tells a model to do it may do once it is promoted,
// behind the same questions as ever; what looks like an attempt is told with the draft. Conversations are read newest first, and no
// more of them than each finder says.
package learn
