package keep

import (
	"bytes"
	"os"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// program is this program, whatever became of its file.
func program() (string, error) { return "/proc/self/exe", nil }

// adopt has this process get the orphans of its command.
func adopt() { _ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) }

// together has the command itself be killed if the keeper is.
func together(attr *syscall.SysProcAttr) { attr.Pdeathsig = unix.SIGKILL }

func dup(from, to int) error { return unix.Dup3(from, to, 0) }

// groups: once the command has ended its group may be another's, and there is a better way than process groups.
const groups = false

// others reports whether something is left for which this process is not waited: nothing, by adopt.
func (k *keeper) others() bool { return false }

// all are the processes below this one, who started others before them.
func (k *keeper) all() []int {
	var list []int
	for next := []int{os.Getpid()}; len(next) > 0; next = next[1:] {
		below := children(next[0])
		list, next = append(list, below...), append(next, below...)
	}
	return list
}

// children are the children of a process, as the system lists them by thread.
func children(pid int) []int {
	dir := "/proc/" + strconv.Itoa(pid) + "/task/"
	threads, err := os.ReadDir(dir)
	if err != nil {
		return nil // it is gone
	}
	var list []int
	for _, t := range threads {
		text, err := os.ReadFile(dir + t.Name() + "/children")
		if err != nil {
			continue
		}
		for field := range bytes.FieldsSeq(text) {
			if child, err := strconv.Atoi(string(field)); err == nil {
				list = append(list, child)
			}
		}
	}
	return list
}
