// Package gate decides what happens with a command line that the person did not
// type: it runs, the person is asked, or it does not run. What a line could do is
// package risk's to say; here the person's own word is added to that: the patterns
// of their settings, what they have approved, and the rules that they remember.
//
// # Laws
//
//   - Deny goes first, then what must be asked, then what is allowed.
//   - A danger is never allowed without a question, and neither is a line that
//     cannot be parsed, whatever was approved and whatever the settings say.
//   - What memory holds can turn allow into ask, and nothing else. More rules never
//     allow more.
//   - A line is allowed by patterns only if each simple command in it, at any depth,
//     is harmless by itself or matched, and nothing else in the line has a reason.
//   - What was read from outside the project can turn allow into ask, and nothing else.
//   - A Decision is about exactly these bytes in exactly this directory.
//   - A file of approvals with one line that cannot be read approves nothing.
//
// # Approvals
//
// Once is one run of one line, and is kept nowhere. For the session is the same
// bytes in the same project, and is kept in memory (Session). Always is a pattern,
// made of one plain command of level caution and shown before the person says yes;
// it is a line of approvals.jsonl:
//
//	{"id":3,"ts":"2026-05-13T19:00:00Z","pattern":"git push *"}
//	{"ts":"2026-05-14T08:00:00Z","revoke":3}
//
// What ran without a question, and what the person answered, is a line of
// audit.jsonl, by hash and number and without the text:
//
//	{"ts":"2026-05-13T19:00:00Z","act":"run","how":"always","level":"caution","cmd":"5f1d0a3b","approval":3}
//
// # Caveats
//
// A gate is what honest programs pass through, and no isolation: what runs can do
// what the person can.
package gate
