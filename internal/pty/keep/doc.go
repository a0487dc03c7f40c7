// Package keep starts a command so that it ends with the process that started it, however
// that ends: with SIGKILL, by a fault, or in the usual way.
//
// Between the two stands a keeper: this program under another name, in a session of its own. It
// starts the command, passes signals on to it, says how it ended, and waits for the end of
// whatever the command left running. It is told to end all of that by the end of a stream whose
// other end only the starting process has, and which the system closes for it.
//
// # Laws
//
//   - The command has the session, files, environment, signals and exit status that it would have
//     without a keeper.
//   - On Linux the keeper inherits every process that the command started and that lost
//     its parent, so that what forked twice, has a session of its own or ignores signals is ended as well.
//   - More than Most processes at once end them all.
//
// # Caveats
//
// What another program starts on the command's behalf (a container, a service, a line of
// cron, a window of a tmux that runs) is not the command's. A process with the rights of somebody
// else cannot be ended. If a command kills its keeper, it is killed with its process group, and what
// else it left running is not. On macOS nothing is known of a command's processes but their process group:
// what leaves that goes on, and nothing is counted.
package keep

// Most is the most processes that a command may have at once: a build on a large machine has some
// hundreds, a loop that starts them without end has more within a second.
const Most = 1000
