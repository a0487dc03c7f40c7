package scrub_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ken/internal/config"
	"ken/internal/engine"
	"ken/internal/jsonl"
	"ken/internal/memory"
	"ken/internal/memory/filelog"
	"ken/internal/memory/tombstone"
	"ken/internal/review"
	"ken/internal/scrub"
	"ken/internal/session"
	"ken/internal/text"
)

func noon() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC) }

// seal is under the key of the person of these tests.
func seal() (*memory.Seal, error) { return memory.NewSeal([]byte("key")), nil }

// fatal is what a house needs of a test, plain or of rapid.
type fatal interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// A house is a whole KEN_HOME.
type house struct {
	t   fatal
	dir string
	fs  jsonl.FS
}

func newHouse(t *testing.T) *house { return &house{t: t, dir: t.TempDir(), fs: noSync{}} }

// noSync is the machine's file system, which tests need not wait for.
type noSync struct{ jsonl.OS }

func (n noSync) OpenFile(name string, flag int, perm fs.FileMode) (jsonl.File, error) {
	f, err := n.OS.OpenFile(name, flag, perm)
	return noSyncFile{f}, err
}

type noSyncFile struct{ jsonl.File }

func (noSyncFile) Sync() error { return nil }

// write makes a file, with its directory.
func (h *house) write(name string, lines ...string) {
	h.t.Helper()
	path := filepath.Join(h.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		h.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		h.t.Fatal(err)
	}
}

func (h *house) read(name string) string {
	h.t.Helper()
	b, err := os.ReadFile(filepath.Join(h.dir, name))
	if err != nil {
		h.t.Fatal(err)
	}
	return string(b)
}

// open is what a process of its own sees.
func (h *house) open() (*scrub.Eraser, *engine.Writer) {
	h.t.Helper()
	env := map[string]string{"KEN_HOME": h.dir}
	_, paths, err := config.Open(func(name string) string { return env[name] }, "", "")
	if err != nil {
		h.t.Fatal(err)
	}
	o := filelog.Options{
		DeviceFile: paths.Device(), Head: paths.Head(), Host: "desk", Now: noon, Rand: bytes.NewReader(make([]byte, 64)), FS: h.fs, Seal: seal,
	}
	logs := []scrub.Log{{Path: paths.Memory(), Log: filelog.Open(paths.Memory(), filelog.Options{ReadOnly: true})}}
	var replicas []engine.Replica
	peers, err := filepath.Glob(filepath.Join(paths.Peers(), "*.jsonl"))
	if err != nil {
		h.t.Fatal(err)
	}
	for _, path := range peers {
		name := strings.TrimSuffix(filepath.Base(path), ".jsonl")
		log := filelog.Open(path, filelog.Options{Replica: true, FS: h.fs, Seal: seal})
		replicas = append(replicas, engine.Replica{Name: name, Log: log})
		logs = append(logs, scrub.Log{Path: path, Name: name, Log: log})
	}
	queue := &review.Log{Path: paths.Review(), Dir: paths.Data, Now: noon, FS: h.fs}
	e := engine.New(engine.Options{
		Own: filelog.Open(paths.Memory(), o), Replicas: replicas, Now: noon, Queue: queue,
		Erased: &tombstone.Journal{Path: paths.Erased(), Now: noon, FS: h.fs, Seal: seal},
	}).As(engine.Actor{Kind: engine.Person})
	return &scrub.Eraser{
		Engine: e, Logs: logs, Queue: queue, Paths: paths, FS: h.fs, Seal: seal,
		Sessions: session.Dir{Path: paths.Sessions(), Lock: paths.Data, Run: paths.Run(), Outputs: config.OutputsIn(paths), Now: noon, FS: h.fs},
	}, e
}

// run erases, as one process does.
func (h *house) run(want scrub.Want) (*scrub.Plan, scrub.Proof, error) {
	h.t.Helper()
	e, _ := h.open()
	p, err := e.Plan(h.context(), want)
	if err != nil {
		return nil, scrub.Proof{}, err
	}
	if err := e.Run(h.context(), p); err != nil {
		return p, scrub.Proof{}, err
	}
	proof, err := e.Verify(h.context(), p)
	return p, proof, err
}

// must is run without a fault and with nothing left.
func (h *house) must(want scrub.Want) (*scrub.Plan, scrub.Proof) {
	h.t.Helper()
	p, proof, err := h.run(want)
	if err != nil {
		h.t.Fatal(err)
	}
	if !proof.Clean() {
		h.t.Fatalf("left: %+v", proof)
	}
	return p, proof
}

// grep lists the files that hold one of the texts: another way to look than that
// of the proof.
func (h *house) grep(texts ...string) []string {
	h.t.Helper()
	var found []string
	err := filepath.WalkDir(h.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		b, err := os.ReadFile(path)
		for _, level := range [][]byte{b, text.Unescape(b), text.Unescape(text.Unescape(b))} {
			for _, want := range texts {
				if strings.Contains(text.Normal(string(level)), text.Normal(want)) {
					found = append(found, strings.TrimPrefix(path, h.dir+"/"))
					return err
				}
			}
		}
		return err
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return found
}

func ids(refs ...string) []memory.ID {
	var list []memory.ID
	for _, r := range refs {
		id, err := memory.ParseID(r)
		if err != nil {
			panic(err)
		}
		list = append(list, id)
	}
	return list
}
