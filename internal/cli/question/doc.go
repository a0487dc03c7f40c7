// Package question makes a question of what a person typed, of the files that they name, of what
// is piped in and of what their shell ran last. It reads, says what goes along, and asks nothing:
// a turn is package agent/turn's business.
package question
