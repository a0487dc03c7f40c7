package config

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// env is an environment for tests.
type env map[string]string

func (e env) get(name string) string { return e[name] }

// all lists every path of p by its method's name.
func all(p Paths) map[string]string {
	return map[string]string{
		"ConfigFile": p.ConfigFile(), "Policies": p.Policies(), "Memory": p.Memory(), "Peers": p.Peers(), "Review": p.Review(),
		"Sessions": p.Sessions(), "Imports": p.Imports(), "Usage": p.Usage(), "Audit": p.Audit(), "Profile": p.Profile(),
		"Working": p.Working(), "Page": p.Page(), "Skills": p.Skills(), "Lock": p.Lock(),
		"MemoryLock": p.MemoryLock(), "Device": p.Device(), "Trust": p.Trust(), "Approvals": p.Approvals(),
		"MaskKey": p.MaskKey(), "Run": p.Run(), "Runtime": p.Runtime, "Cache": p.Cache, "Places": p.Places(),
	}
}

func TestR110PathsXDG(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		env  env
	}{
		{"nothing set", env{}},
		{"not absolute", env{"XDG_CONFIG_HOME": "c", "XDG_DATA_HOME": "./d", "XDG_STATE_HOME": "~/s", "XDG_CACHE_HOME": "", "XDG_RUNTIME_DIR": "r"}},
	} {
		p, err := FindPaths(c.env.get, "/home/me", Default())
		if err != nil {
			t.Fatal(err)
		}
		const config, data, state = "/home/me/.config/ken/", "/home/me/.local/share/ken/", "/home/me/.local/state/ken/"
		if diff := cmp.Diff(map[string]string{
			"ConfigFile": config + "config.toml", "Policies": config + "policies",
			"Memory": data + "memory.jsonl", "Peers": data + "peers", "Review": data + "review.jsonl", "Sessions": data + "sessions",
			"Imports": data + "sessions/import", "Usage": data + "usage.jsonl", "Audit": data + "audit.jsonl", "Profile": data + "profile.md",
			"Working": data + "working.md", "Page": data + "MEMORY.md", "Skills": data + "skills",
			"Lock": data + ".lock", "MemoryLock": data + ".lock",
			"Device": state + "device.json", "Trust": state + "trust.jsonl", "Approvals": state + "approvals.jsonl", "MaskKey": state + "mask.key",
			"Run": state + "run", "Runtime": state + "run", "Cache": "/home/me/.cache/ken", "Places": "/home/me/.cache/ken/places",
		}, all(p)); diff != "" {
			t.Errorf("%s (-want +got)\n%s", c.name, diff)
		}
		if p.Flat {
			t.Errorf("%s: Flat", c.name)
		}
	}
	p, err := FindPaths(env{"XDG_CONFIG_HOME": "/c", "XDG_DATA_HOME": "/d", "XDG_STATE_HOME": "/s/", "XDG_CACHE_HOME": "/k", "XDG_RUNTIME_DIR": "/run/user/1"}.get, "", Default())
	if err != nil {
		t.Fatalf("no home is needed here: %v", err)
	}
	for got, want := range map[string]string{
		p.ConfigFile(): "/c/ken/config.toml", p.Memory(): "/d/ken/memory.jsonl", p.Device(): "/s/ken/device.json", p.Cache: "/k/ken",
		p.Runtime: "/run/user/1/ken", p.Run(): "/s/ken/run",
	} {
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestB9PathsFlat(t *testing.T) {
	t.Parallel()
	e := env{"KEN_HOME": "/k", "XDG_DATA_HOME": "/d", "XDG_RUNTIME_DIR": "/r"}
	p, err := FindPaths(e.get, "", Default())
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"ConfigFile": "config.toml", "Policies": "policies", "Memory": "memory.jsonl", "Peers": "peers", "Review": "review.jsonl",
		"Sessions": "sessions", "Imports": "sessions/import", "Usage": "usage.jsonl", "Audit": "audit.jsonl", "Profile": "profile.md",
		"Working": "working.md", "Page": "MEMORY.md", "Skills": "skills", "Lock": ".lock", "MemoryLock": ".lock",
		"Device": "device.json", "Trust": "trust.jsonl", "Approvals": "approvals.jsonl", "MaskKey": "mask.key",
		"Run": "run", "Runtime": "run", "Cache": "cache", "Places": "cache/places",
	}
	for name, file := range want {
		want[name] = "/k/" + file
	}
	if diff := cmp.Diff(want, all(p)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if !p.Flat {
		t.Error("not Flat")
	}
	if p, err := FindPaths(env{"KEN_HOME": "~/k"}.get, "/home/me", Default()); err != nil || p.Data != "/home/me/k" {
		t.Errorf("KEN_HOME=~/k: %s, %v", p.Data, err)
	}
}

// TestRelativePlaces: no directory that somebody stands in is where ken's files are, whatever variable says so.
func TestRelativePlaces(t *testing.T) {
	t.Parallel()
	for _, at := range []string{"k", ".", "./k", "../k", "~other/k", "k/~"} {
		for _, e := range []env{{"KEN_HOME": at}, {"KEN_CONFIG": at}, {"KEN_HOME": "/k", "KEN_CONFIG": at}} {
			_, err := FindPaths(e.get, "/home/me", Default())
			hint := (interface{ Hint() string })(nil)
			if !errors.As(err, &hint) || hint.Hint() == "" || !strings.Contains(err.Error(), "is not an absolute path") {
				t.Errorf("%v: %v", e, err)
			}
		}
		e := env{}
		for _, name := range []string{"CONFIG_HOME", "DATA_HOME", "STATE_HOME", "CACHE_HOME", "RUNTIME_DIR"} {
			e["XDG_"+name] = at
		}
		usual, err := FindPaths(env{}.get, "/home/me", Default())
		if p, also := FindPaths(e.get, "/home/me", Default()); err != nil || also != nil || p != usual {
			t.Errorf("XDG %s: %+v, %v", at, p, also)
		}
	}
}

func TestPathsMoved(t *testing.T) {
	t.Parallel()
	c := Default()
	c.History.Dir = "~/notes/ken/"
	c.Memory.Path = "/sync/me.jsonl"
	for _, e := range []env{{}, {"KEN_HOME": "/k"}} {
		p, err := FindPaths(e.get, "/home/me", c)
		if err != nil {
			t.Fatal(err)
		}
		for got, want := range map[string]string{
			p.Memory(): "/sync/me.jsonl", p.MemoryLock(): "/sync/.lock",
			p.Sessions(): "/home/me/notes/ken/sessions", p.Review(): "/home/me/notes/ken/review.jsonl", p.Lock(): "/home/me/notes/ken/.lock",
			p.Skills(): "/home/me/notes/ken/skills", p.Device(): p.State + "/device.json", p.ConfigFile(): p.Config + "/config.toml",
		} {
			if got != want {
				t.Errorf("%v: %s, want %s", e, got, want)
			}
		}
	}
	// history.dir alone takes the log with it.
	c.Memory.Path = ""
	if p, err := FindPaths(env{}.get, "/home/me", c); err != nil || p.Memory() != "/home/me/notes/ken/memory.jsonl" {
		t.Errorf("%s, %v", p.Memory(), err)
	}
}

// TestDerivedByData checks that two data directories do not share what is
// derived from them, and that one under two names does.
func TestDerivedByData(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "real"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("real", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	derived := func(data string) [2]string {
		c := Default()
		c.History.Dir = filepath.Join(dir, data)
		p, err := FindPaths(env{}.get, dir, c)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(p.Index(), p.Cache) || !strings.HasPrefix(p.Head(), p.Cache) {
			t.Errorf("%s, %s: not in the cache", p.Index(), p.Head())
		}
		return [2]string{p.Index(), p.Head()}
	}
	if derived("real") != derived("link") || derived("real/new") != derived("link/new") {
		t.Error("one directory under two names has two caches")
	}
	a, b := derived("real"), derived("real/new")
	if a[0] == b[0] || a[1] == b[1] {
		t.Error("two directories share a cache")
	}
}

func TestNoHome(t *testing.T) {
	t.Parallel()
	moved := Default()
	moved.History.Dir = "~/x"
	for _, c := range []struct {
		env  env
		home string
		cfg  Config
	}{
		{env{}, "", Default()},
		{env{}, "relative", Default()},
		{env{"KEN_HOME": "~/x"}, "", Default()},
		{env{"KEN_HOME": "/k", "KEN_CONFIG": "~/x"}, "", Default()},
		{env{"KEN_HOME": "/k"}, "", moved},
	} {
		_, err := FindPaths(c.env.get, c.home, c.cfg)
		var h interface{ Hint() string }
		if err == nil || !errors.As(err, &h) || !strings.Contains(h.Hint(), "HOME") {
			t.Errorf("%v: %v, want an error with a hint", c.env, err)
		}
	}
	if _, err := FindPaths(env{"KEN_HOME": "/k"}.get, "", Default()); err != nil {
		t.Errorf("KEN_HOME needs no home: %v", err)
	}
}

// put writes a file and gives its path.
func put(t *testing.T, path, content string, mode fs.FileMode) string {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), mode); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil { // the umask has no say
		t.Fatal(err)
	}
	return path
}

func TestOpen(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	e := env{"KEN_HOME": filepath.Join(home, "k")}

	c, p, err := Open(e.get, home, "")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(Default(), c, equal()); diff != "" || p.Data != e["KEN_HOME"] {
		t.Errorf("no file: %s\n%s", p.Data, diff)
	}
	if entries, err := os.ReadDir(home); err != nil || len(entries) != 0 {
		t.Errorf("looking made %v, %v", entries, err)
	}

	// --config, then KEN_CONFIG, then the usual file.
	if err := os.Mkdir(e["KEN_HOME"], 0o700); err != nil {
		t.Fatal(err)
	}
	usual := put(t, p.ConfigFile(), "ui.color = \"never\"\n", 0o600)
	named := put(t, filepath.Join(home, "named.toml"), "ui.quiet = true\nhistory.dir = \"~/data\"\n", 0o600)
	flag := put(t, filepath.Join(home, "flag.toml"), "ui.markdown = false\n", 0o600)
	for _, s := range []struct {
		env, flag, file, data string
		ui                    UI
	}{
		{"", "", usual, e["KEN_HOME"], UI{Color: "never", Theme: "auto", Markdown: true, Suggest: true, Clipboard: "auto"}},
		{
			named, "", named, filepath.Join(home, "data"),
			UI{Color: "auto", Theme: "auto", Markdown: true, Quiet: true, Suggest: true, Clipboard: "auto"},
		},
		{named, flag, flag, e["KEN_HOME"], UI{Color: "auto", Theme: "auto", Suggest: true, Clipboard: "auto"}},
		{"~/named.toml", "~/flag.toml", flag, e["KEN_HOME"], UI{Color: "auto", Theme: "auto", Suggest: true, Clipboard: "auto"}},
	} {
		e["KEN_CONFIG"] = s.env
		c, p, err := Open(e.get, home, s.flag)
		if err != nil || c.UI != s.ui || p.ConfigFile() != s.file || p.Data != s.data {
			t.Errorf("KEN_CONFIG=%s --config %s: %s, %s, %+v, %v", s.env, s.flag, p.ConfigFile(), p.Data, c.UI, err)
		}
	}

	// A named file is never fallen back from.
	for _, s := range []struct{ env, flag string }{{home + "/missing", ""}, {"", home + "/missing"}, {named, home + "/missing"}} {
		e["KEN_CONFIG"] = s.env
		if _, _, err := Open(e.get, home, s.flag); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), home+"/missing") {
			t.Errorf("KEN_CONFIG=%s --config %s: %v", s.env, s.flag, err)
		}
	}
	e["KEN_CONFIG"] = ""
	put(t, usual, "memory.working_memory_ttl_days = 0\n", 0o600)
	_, p, err = Open(e.get, home, "")
	var bad *Error
	if !errors.As(err, &bad) || !strings.HasPrefix(err.Error(), usual+":1:34: memory.working_memory_ttl_days: ") {
		t.Errorf("a bad file: %v", err)
	}
	if p.ConfigFile() != usual {
		t.Errorf("a bad file: the paths are %+v; they are needed to tell where it is", p)
	}
}

func TestLoad(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c, err := Load(filepath.Join(dir, "none", "config.toml"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(Default(), c, equal()); diff != "" {
		t.Error(diff)
	}
	// A file where the directory should be is a missing file of settings, so that
	// a conversation can go on; a file that was named must be there.
	file := put(t, filepath.Join(dir, "file"), "", 0o600)
	below := filepath.Join(file, "x")
	if c, err := Load(below); err != nil || cmp.Diff(Default(), c, equal()) != "" {
		t.Errorf("Load below a file: %+v, %v", c, err)
	}
	if _, err := LoadExisting(below); err == nil || !strings.Contains(err.Error(), "not a directory") {
		t.Errorf("LoadExisting below a file: %v", err)
	}
	long := put(t, filepath.Join(dir, "long"), strings.Repeat("#\n", MaxFile/2+1), 0o600)
	for path, want := range map[string]string{
		dir:        "not a regular file",
		os.DevNull: "not a regular file",
		long:       "longer than",
	} {
		_, err := Load(path)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Count(err.Error(), path) != 1 {
			t.Errorf("Load(%s): %v, want %q and the path once", path, err, want)
		}
	}
	if c, err := Load(file); err != nil || c.Memory.InjectMaxTokens != 500 {
		t.Errorf("an empty file: %v", err)
	}
}

func TestKey(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	secret, other := "sk-"+strings.Repeat("a1B2", 10), "gsk_"+strings.Repeat("c3D4", 9)
	good := put(t, filepath.Join(home, "good"), secret+"\n", 0o600)
	tight := put(t, filepath.Join(home, "tight"), secret, 0o400)
	loose := put(t, filepath.Join(home, "loose"), secret, 0o640)
	open := put(t, filepath.Join(home, "open"), secret, 0o604)
	empty := put(t, filepath.Join(home, "empty"), " \n", 0o600)
	two := put(t, filepath.Join(home, "two"), secret+"\n"+other+"\n", 0o600)
	long := put(t, filepath.Join(home, "long"), strings.Repeat("a", maxKey+1), 0o600)
	e := env{"HOME": home, "USERPROFILE": home, "SET": " " + other + "\n", "BLANK": "  ", "BROKEN": other + "\nx"}
	for _, c := range []struct {
		m              Model
		key, from, err string
		hint           string
	}{
		{m: Model{}},
		{m: Model{APIKeyEnv: "SET"}, key: other, from: "$SET"},
		{m: Model{APIKeyEnv: "SET", APIKeyFile: loose}, key: other, from: "$SET"},
		{m: Model{APIKeyEnv: "UNSET", APIKeyFile: good}, key: secret, from: good},
		{m: Model{APIKeyEnv: "BLANK", APIKeyFile: "~/good"}, key: secret, from: "~/good"},
		{m: Model{APIKeyFile: tight}, key: secret, from: tight},
		{m: Model{APIKeyEnv: "UNSET"}, err: "$UNSET is not set", hint: "export UNSET"},
		{m: Model{APIKeyEnv: "BLANK"}, err: "$BLANK is not set", hint: "api_key_file"},
		{m: Model{APIKeyEnv: "BROKEN"}, err: "$BROKEN holds a space"},
		{m: Model{APIKeyFile: loose}, err: "its mode is 0640", hint: "chmod 600 " + loose},
		{m: Model{APIKeyFile: open}, err: "its mode is 0604", hint: "chmod 600 " + open},
		{m: Model{APIKeyFile: empty}, err: "it is empty"},
		{m: Model{APIKeyFile: two}, err: "want the key alone"},
		{m: Model{APIKeyFile: long}, err: "longer than"},
		{m: Model{APIKeyFile: home}, err: "read key file " + home},
		{m: Model{APIKeyFile: home + "/none"}, err: "no such file"},
	} {
		key, from, err := c.m.Key(e.get)
		if c.err == "" {
			if err != nil || key != c.key || from != c.from {
				t.Errorf("%+v: from %q, %v", c.m, from, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), c.err) || key != "" || from != "" {
			t.Errorf("%+v: from %q, %v, want an error with %q and no key", c.m, from, err, c.err)
			continue
		}
		var h interface{ Hint() string }
		if c.hint != "" && (!errors.As(err, &h) || !strings.Contains(h.Hint(), c.hint)) {
			t.Errorf("%+v: %v has no hint %q", c.m, err, c.hint)
		}
		if text := err.Error(); strings.Contains(text, secret[3:20]) || strings.Contains(text, other[4:20]) {
			t.Errorf("%+v: the error holds the key: %v", c.m, err)
		}
	}
}
