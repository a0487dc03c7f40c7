// Package place says where a person stands: in which directory, in which
// repository, and which memories hold there; and what of it a model is told.
//
// A repository is known by what it is, not by where it lies: by the host and
// path of its remotes, so that a clone, a worktree, a moved directory and
// another machine agree. One without remotes is known by its first commit, and
// what is in no repository by its directory.
//
// # Laws
//
//   - Git is not needed and its process is not run, but for one question: the
//     first commit, of a repository without remotes, and of one that Finder.Root
//     is asked about. It has one second to answer, and the answer is kept. Of several first commits it is the oldest
//     by committer time, of two of one time the first by name.
//   - The spelling of an address does not count: git@host:path,
//     ssh://user@host:22/path and https://host/path.git are one identity. So
//     is the case of letters.
//   - No user name, password or query of an address is in an identity.
//   - What cannot be read is no repository. It never stops the person, nothing
//     is waited for, and Place.Broken has the reason.
//
// # Caveats
//
// What is read is the repository's own config file and, if it has remotes,
// url.<base>.insteadOf of it and of ~/.config/git/config and ~/.gitconfig: a
// remote counts both as it is written and as git rewrites it. Files of more than
// 1 MiB are not read. Not looked at are includes, which could name any file
// and rarely hold a remote; the system's git configuration; host aliases of
// ssh; config.worktree; pushurl; and the GIT_ variables of the environment.
// Remotes that are local paths and those that need a remote helper (ext::,
// codecommit::) do not count.
//
// A bare repository without a .git is no repository here, but its worktrees
// are. One whose top is the home directory is none either: people keep their
// dotfiles so, and everything they do is no one project.
//
// What was said where a repository had no remote holds after it got one as
// long as the kept answer is there: in another clone, or if the cache was
// deleted, Find does not ask for the first commit once there are remotes.
//
// The path of a "dir:" scope is canonical where ken writes it. In one that was
// written by hand, symbolic links are not resolved.
//
// # Reasons
//
// The package stands on the ground floor, because memory, sessions, settings and risk all ask where a person
// stands and must get one answer. A repository is named by its remote, since clones, worktrees and moved
// directories share that; a path would give each of them an empty memory. Git is not run, because every start
// asks: running it takes longer than the rest of a start, and it can run programs that the settings of a
// repository name.
package place
