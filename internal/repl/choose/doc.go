// Package choose lets a person pick one of many on a terminal: a list below the
// prompt, in place, which gets shorter as they type. It is for whatever has names and
// is many: conversations, models.
//
//	got, err := choose.Pick(ctx, tty, tty, choose.Options{
//		Ask:     "resume which?",
//		Scopes:  []string{"here", "all"},
//		Entries: func(ctx context.Context) iter.Seq[choose.Entry] { ... },
//	})
//
// A caller of the command line has which.FromList, which takes the terminal of the
// run, and a numbered list where nothing can be drawn (TERM=dumb, no editor).
//
// Keys: what is typed filters; Up, Down, Ctrl-P, Ctrl-N, PageUp, PageDown, Home and End
// move; Enter takes; Tab goes on to the next scope; Backspace, Ctrl-W and Ctrl-U take back;
// Esc, Ctrl-C, Ctrl-D and Ctrl-G leave without a choice.
//
// # Laws
//
//   - What is shown is a part of what the caller gave, in the caller's order: the entries
//     of the scope in which each word of the filter stands, in any order and however it is
//     written (case, width, composition).
//   - Entries may come as slowly as they like: those that came are shown, and keys work.
//   - However it ends, also by a signal that ends ctx or a terminal that is gone, the
//     screen is without the list, and the terminal has the settings that it had.
//   - What an entry says is shown cleaned: it moves no cursor and forges no row.
//   - What was typed before the list stood there chooses nothing: it is Choice.Ahead.
//   - An Enter with more behind it in one piece was pasted, and takes nothing.
//
// # Caveats
//
// Nothing has a colour: the marked row is bold and has ">" before it, what is beside is
// dim. The list is drawn with the cursor hidden at its upper left corner, so that a terminal
// which breaks its lines anew on another width leaves nothing of it behind. Linux and
// macOS only; elsewhere Pick is ErrUnable, and callers use Numbered.
//
// # Reasons
//
// Libraries were looked at: go-fuzzyfinder takes the alternate screen, fzf brings a terminal and a matcher of its
// own, bubbletea reads input on a goroutine that cannot be stopped between two keys, and promptui is not kept any
// more. None gives back what was typed ahead. Nothing is ranked: the order is the caller's, so nothing jumps while
// a person types.
package choose
