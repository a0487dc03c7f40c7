// Package sandbox starts a command so that the system holds it: it changes files only below
// given directories, reads none of ken's own, and reaches no network unless it may.
//
// The command is started through this very program (Box.Prepare), which shuts itself in
// (Enter, the first thing that main calls) and then becomes the command. Nobody has to trust
// the words on the command line of that: what they can do is only to shut oneself in more.
//
// # Laws
//
//   - What was asked for holds, or nothing runs: Open and Enter fail, and never fall back.
//   - Only the child is held. Nothing of this process changes.
//   - What is held stays held, in all children and for ever: no program gets it off.
//
// # How
//
// On Linux three mechanisms stand side by side, so that what one lets through another holds.
// Landlock: files by their place, signals to others, other processes' memory. A filter of
// system calls: sockets, typing into terminals, keyrings, what only an administrator does.
// Namespaces, where the system lets a person make them: all is mounted read-only but what may be
// written, /tmp is the command's own, and of the network there is only a loopback of its own.
//
// # Caveats
//
// Without namespaces the mode, owner and times of files elsewhere can be changed by who may
// change them outside; their content cannot. What the command writes into the project is there
// afterwards, also what a person runs later. A file that is linked (ln) into the project beforehand
// is a file of the project.
package sandbox
