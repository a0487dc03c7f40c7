// Package recall chooses which memories may stand in a prompt, and says of each
// one why, and of each one left out why not. It is pure: the same items, place,
// budget and time give the same choice.
//
// The start-up block (Background) is chosen once, when a conversation begins,
// and again only when the person changes the memory: it is part of the system
// message, and a server's prompt cache holds only while that does not change.
//
// # Laws
//
//   - A choice never exceeds its budget, the header included.
//   - The block holds only items whose scope holds here and that are true now.
//   - Nothing to say gives the empty block, not a header alone.
package recall
