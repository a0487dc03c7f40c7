// Package lessons looks back at conversations: which memories their answers had, what became of what was offered, and what
// could be learned of it. It is pure: the conversations are given, and nothing is written.
//
// What could be learned is a draft for the person to take, change or leave. It is made of what was seen alone: a command that
// they corrected, one that failed again and again, one that they did not want.
package lessons
