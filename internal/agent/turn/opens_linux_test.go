package turn_test

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"ken/internal/agent/turn"
	"ken/internal/app"
	"ken/internal/llm/llmtest"
)

// opens counts how often the files of directories are opened while do runs, by name.
func opens(t *testing.T, do func(), dirs ...string) map[string]int {
	t.Helper()
	fd, err := unix.InotifyInit1(unix.IN_CLOEXEC | unix.IN_NONBLOCK)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = unix.Close(fd) }()
	of := make(map[int32]string)
	for _, dir := range dirs {
		wd, err := unix.InotifyAddWatch(fd, dir, unix.IN_OPEN)
		if err != nil {
			t.Fatal(err)
		}
		of[int32(wd)] = filepath.Base(dir)
	}
	do()
	n := make(map[string]int)
	buf := make([]byte, 1<<16)
	for {
		got, err := unix.Read(fd, buf)
		if err != nil || got <= 0 {
			return n
		}
		for b := buf[:got]; len(b) >= unix.SizeofInotifyEvent; {
			wd, size := int32(binary.NativeEndian.Uint32(b)), int(binary.NativeEndian.Uint32(b[12:]))
			name := string(bytes.TrimRight(b[unix.SizeofInotifyEvent:unix.SizeofInotifyEvent+size], "\x00"))
			if name != "" && of[wd] == "peers" {
				name = "peers/" + name
			}
			n[name]++
			b = b[unix.SizeofInotifyEvent+size:]
		}
	}
}

// TestOpensOnce: a question opens each file of the memory at most once, in a run of its
// own and in a conversation that is held, with an index and without.
func TestOpensOnce(t *testing.T) {
	t.Parallel()
	const peer = `{"meta":{"format":1,"log":"desk-1a2b","created":"2026-01-01T00:00:00Z"}}
{"id":1,"ts":"2026-01-04T10:00:00Z","kind":"fact","content":"the kettle hums"}
`
	for name, index := range map[string]string{"files": app.IndexNever, "index": app.IndexAlways} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := llmtest.New(t)
			server.Always(llmtest.Text("yes"))
			dir := files(t, map[string]string{
				"memory.jsonl": staging + lamp, "profile.md": "Ada\n", "config.toml": "[memory]\nuser_namespace = \"ada\"\n",
				"peers/desk-1a2b.jsonl": peer,
			})
			change := func(o *app.Options, _ *app.Standing) { o.Index, o.Clock = index, time.Now }
			q := turn.Question{Text: "which host hums?"}
			d := oneShot(open(t, dir, server, change), false) // the first of all makes what is derived
			ask(t, d, q, turn.Events{})
			d.End(t.Context())

			all := []string{dir, filepath.Join(dir, "peers")}
			// Before a log of another device is read, its first line says whether it is one.
			alone := map[string]int{"memory.jsonl": 2, "peers/desk-1a2b.jsonl": 2, "profile.md": 1, "working.md": 1, "usage.jsonl": 1}
			d = oneShot(open(t, dir, server, change), false)
			want(t, "in a run of its own", alone, opens(t, func() { ask(t, d, q, turn.Events{}) }, all...))

			if err := os.RemoveAll(filepath.Join(dir, "peers")); err != nil {
				t.Fatal(err)
			}
			d = oneShot(open(t, dir, server, change), false)
			ask(t, d, q, turn.Events{}) // the index is another one now
			alone["memory.jsonl"] = 1
			d = oneShot(open(t, dir, server, change), false)
			want(t, "without other devices", alone, opens(t, func() { ask(t, d, q, turn.Events{}) }, dir))

			d = held(t, open(t, dir, server, change))
			ask(t, d, q, turn.Events{})
			later := map[string]int{"memory.jsonl": 1, "usage.jsonl": 1} // the use of the lamp is noted
			if index == app.IndexAlways {
				later["memory.jsonl"] = 2 // for what others changed, and for the items that the index names
			}
			want(t, "the second of a conversation", later, opens(t, func() { ask(t, d, turn.Question{Text: "and the lamp?"}, turn.Events{}) }, dir))
		})
	}
}

// want holds how often files were opened against how often they may be; lists that are
// no part of the memory (settings, sessions, locks) are not counted.
func want(t *testing.T, when string, most, got map[string]int) {
	t.Helper()
	for _, name := range []string{
		"memory.jsonl", "peers/desk-1a2b.jsonl", "profile.md", "working.md", "review.jsonl", "usage.jsonl", "erased.jsonl", "trust.jsonl",
	} {
		if got[name] > most[name] {
			t.Errorf("%s: %s was opened %d times, want at most %d (of %v)", when, name, got[name], most[name], got)
		}
	}
	if got["memory.jsonl"] == 0 {
		t.Errorf("%s: nothing was counted: %v", when, got)
	}
}
