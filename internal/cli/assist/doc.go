// Package assist is the commands by which other assistants come to use the memory: setup writes into their
// settings, and hook is what those have them run at the start of a conversation.
package assist
