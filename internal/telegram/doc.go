// Package telegram is the face for the person's own phone: a bot of theirs, which they talk to on
// Telegram. It carries messages and decides nothing: who may write is a numeric id that was paired at the
// terminal, what a turn does is package agent/talk's business, and what needs a yes says that it needs the
// terminal.
//
// # What comes in
//
// Only messages count that the paired person typed in a private chat. What was forwarded, quoted, made by
// another bot or sent as a file is text to read, of origin external. To everybody else the bot says
// nothing, and it leaves groups and channels.
//
// # At most once
//
// An update is noted in the state folder before it is worked on. Whatever ends the process meanwhile, it is
// not worked on again.
//
// # What goes out
//
// HTML, made of the blocks that package markdown reads, in messages of at most 4,096 UTF-16 units. While an
// answer is written drafts show it, one a second at most. The bot's token stands in the address of every request:
// no error leaves this package with it.
package telegram
