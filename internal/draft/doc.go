// Package draft keeps the texts that a person changes in an editor, or that would be
// lost, in one private place of ken's own.
//
//	d, err := dir.New(ctx, "question.txt", text)
//	defer d.Done()
//	edit(d.Path())
//	text, err = d.Text()
//
// Each text has a directory of its own, mode 0700, so that what an editor writes beside
// it (a backup, a swap file) goes with it:
//
//	drafts/3f9c0a7712be4d05/question.txt
//	drafts/3f9c0a7712be4d05/.lock         held as long as its ken runs
//
// # Laws
//
//   - Done leaves nothing, whatever the editor left there.
//   - What a ken that was killed left is taken away by a later one, Abandoned after it was
//     last changed: its editor may still run. The lock says whether that ken lives.
//   - What was kept for the person has no lock, and stays for Kept.
//   - Nothing is taken away that has not a name of this form.
package draft
