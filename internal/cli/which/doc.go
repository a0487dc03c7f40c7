// Package which asks a person which memory, conversation or entry of a list they mean, and what becomes of memories beside
// which a new one hardly holds. What their words may mean, and what their answer says, is package pick's.
package which
