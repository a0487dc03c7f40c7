// Package floors holds programs that do only what cannot be avoided. No program in Go
// that does the work can be expected below them.
package floors

import (
	"context"
	"fmt"
	"os"
	"os/exec"
)

// Names of the floors.
const (
	Empty  = "empty-go" // starts and ends
	Ask    = "post-go"  // posts, reads the stream, prints, syncs one file
	Add    = "append-go"
	Peaker = "peak"
)

// Sources are the floors as Go source, each built by itself from the
// standard library alone.
func Sources() map[string]string {
	return map[string]string{
		Empty:  emptySource,
		Ask:    askSource,
		Add:    addSource,
		Peaker: peakSource,
	}
}

const emptySource = `package main

func main() {}
`

// askSource: URL, FILE. It knows the shape of the events of the bench's model
// and looks at nothing else of them.
const askSource = `package main

import (
	"bufio"
	"bytes"
	"net/http"
	"os"
	"strings"
)

func main() {
	body := ` + "`" + `{"model":"bench","stream":true,"messages":[{"role":"user","content":"hi"}]}` + "`" + `
	res, err := http.Post(os.Args[1], "application/json", strings.NewReader(body))
	check(err)
	in := bufio.NewReaderSize(res.Body, 64<<10)
	var all []byte
	key := []byte("\"delta\":{\"content\":\"")
	for {
		line, err := in.ReadSlice('\n')
		if i := bytes.Index(line, key); i >= 0 {
			text := line[i+len(key):]
			text = text[:bytes.IndexByte(text, '"')]
			if bytes.HasSuffix(text, []byte("\\n")) {
				text = append(text[:len(text)-2], '\n')
			}
			all = append(all, text...)
			_, err := os.Stdout.Write(text)
			check(err)
		}
		if err != nil || bytes.HasPrefix(line, []byte("data: [DONE]")) {
			break
		}
	}
	f, err := os.OpenFile(os.Args[2], os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	check(err)
	_, err = f.Write(all)
	check(err)
	check(f.Sync())
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
`

// addSource: LOCK, FILE, LINE.
const addSource = `package main

import (
	"os"
	"syscall"
)

func main() {
	lock, err := os.OpenFile(os.Args[1], os.O_CREATE|os.O_RDWR, 0o600)
	check(err)
	check(syscall.Flock(int(lock.Fd()), syscall.LOCK_EX))
	f, err := os.OpenFile(os.Args[2], os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	check(err)
	_, err = f.WriteString(os.Args[3] + "\n")
	check(err)
	check(f.Sync())
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
`

// peakSource: PROGRAM, ARGUMENTS. It runs the program and writes its peak memory,
// as the kernel counts it, to descriptor 3.
//
// A child begins with the peak of its parent: that is part of what the kernel
// takes over when a program is started. So the bench, which is larger than what it
// measures, does not start it itself.
const peakSource = `package main

import (
	"os"
	"strconv"
	"syscall"
)

func main() {
	files := []*os.File{os.Stdin, os.Stdout, os.Stderr}
	p, err := os.StartProcess(os.Args[1], os.Args[1:], &os.ProcAttr{Files: files})
	check(err)
	state, err := p.Wait()
	check(err)
	usage, _ := state.SysUsage().(*syscall.Rusage)
	_, err = syscall.Write(3, strconv.AppendInt(nil, int64(usage.Maxrss), 10))
	check(err)
	os.Exit(state.ExitCode())
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
`

// Build builds a static program without symbols.
func Build(ctx context.Context, dir, bin, what string) error {
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-ldflags", "-s -w", "-o", bin, what)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go build %s: %w\n%s", what, err, out)
	}
	return nil
}
