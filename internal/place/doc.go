// Package place says where a person stands: in which directory, in which
// repository, and which memories hold there.
//
// A repository is known by what it is, not by where it lies: by the host and
// path of its remotes, so that a clone, a worktree, a moved directory and
// another machine agree. One without remotes is known by its first commit, and
// what is in no repository by its directory.
//
// # Laws
//
//   - Git is not needed and its process is not run, but for one question: the
//     first commit of a repository without remotes. It has one second to
//     answer, and the answer is kept.
//   - The spelling of an address does not count: git@host:path,
//     ssh://user@host:22/path and https://host/path.git are one identity. So
//     is the case of letters.
//   - No user name, password or query of an address is in an identity.
//   - What cannot be read is no repository; it never stops the person.
//
// # Caveats
//
// Only the repository's own config file is read. Not looked at are includes,
// url.<base>.insteadOf, the person's and the system's git configuration, host
// aliases of ssh, config.worktree, pushurl, and the GIT_ variables of the
// environment. Remotes that are local paths and those that need a remote
// helper (ext::, codecommit::) do not count.
//
// A bare repository without a .git is no repository here. One whose top is the
// home directory is none either: people keep their dotfiles so, and everything
// they do is no one project.
package place
