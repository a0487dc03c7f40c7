// Package files judges the programs that change files: what is removed, overwritten,
// moved, copied or given other rights, and how much of it.
package files
