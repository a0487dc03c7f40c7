// Package carryover carries a person's work from one conversation into the next: what a
// conversation begins with, what is kept of the turns that leave it, and what is
// left of it for the one after.
//
// All of it but the summing up of a conversation that grows too long is off until
// memory.user_namespace is set. No model is asked at the start or at the end.
package carryover
