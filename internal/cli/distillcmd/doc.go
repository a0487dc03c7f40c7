// Package distillcmd is the commands that make candidates for memory of what was
// said: `ken memory summarize`, which asks about each, and `ken extract`, which only shows
// them. How a conversation is read is package upkeep/extract's to say.
package distillcmd
