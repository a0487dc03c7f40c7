// Package scales measures what a search costs as what is searched grows: whole commands on
// short queries, beside sqlite3 with FTS5 and rg over the same texts; an answer without an
// index; and the memory that making the index of a million takes.
//
// A query is asked of every program in turn, there and back, so that a busy machine is
// busy for all. A ratio is that of two runs of one turn, and then the median of all.
package scales
