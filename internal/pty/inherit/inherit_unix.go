//go:build unix

package inherit

import (
	"os"
	"os/signal"
	"syscall"
)

// Defaults has the programs that this process starts from now on begin with the default
// for every signal that would end or stop them. A signal that this process ignores it
// still does nothing about: it is caught, and dropped. That is the one way to it, since a
// signal that is caught is at its default in a program that is started, and one that
// is ignored stays ignored. It may be called any number of times.
func Defaults() {
	dropped := make(chan os.Signal, 1)
	for _, s := range []os.Signal{
		syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM, syscall.SIGALRM, syscall.SIGUSR1, syscall.SIGUSR2,
		syscall.SIGCHLD, syscall.SIGTSTP, syscall.SIGTTIN, syscall.SIGTTOU, syscall.SIGPIPE,
	} {
		if signal.Ignored(s) {
			signal.Notify(dropped, s)
		}
	}
}
