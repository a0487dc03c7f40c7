// Package ignore says which files git would leave out, by the files that tell git so. It
// starts no git: the configuration of a repository can name programs that git runs, and
// a directory that a person looks into for the first time may be anybody's.
//
// Read are .gitignore from the top of the repository down and .git/info/exclude, which a worktree shares. The form of
// a line is git's (gitignore(5)). A name below a directory that is left out is left out: who walks
// does not go into it, and Rules are not asked.
//
// # Caveats
//
// The person's own list for all repositories (core.excludesFile) is not read, nor does it count that
// git tracks a file in spite of a line.
package ignore
