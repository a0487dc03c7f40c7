// Package acts is what a model did in a conversation, as lines of a session: the acts, and the runs towards a goal that
// they are parts of.
package acts
