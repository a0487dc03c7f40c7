package config

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"

	"ken/internal/regular"
)

// Paths says where everything stands. All paths are absolute.
//
// With KEN_HOME all of it is one flat directory; one that is not absolute is an error, since each directory would have
// settings and approvals of its own to give. Otherwise the places are
// those of the XDG base directory specification, also on macOS, each with a
// directory "ken" of its own. XDG variables that are not absolute count as not
// set, as that specification asks.
type Paths struct {
	Config  string // settings and policies
	Data    string // what is the person's own: memory, sessions, skills; history.dir moves it
	State   string // what belongs to this device and is never synced
	Cache   string // what is derived and may be deleted at any time
	Runtime string // sockets
	Flat    bool   // all in one directory

	file   string // the file of settings, if it is not Config/config.toml
	strict bool   // the person named the file, so it must exist
	memory string // the log, if it is not Data/memory.jsonl
}

// Open finds and reads the settings, and says where everything stands under
// them. file is a file of settings that the person named ("" = none: KEN_CONFIG,
// else the usual one). A named file must exist; there is no falling back from
// it. home is the home directory, "" if there is none. Nothing is made.
func Open(getenv func(string) string, home, file string) (Config, Paths, error) {
	p, err := findPaths(getenv, home, file)
	if err != nil {
		return Config{}, Paths{}, err
	}
	load := Load
	if p.strict {
		load = LoadExisting
	}
	c, err := load(p.ConfigFile())
	if err != nil {
		return Config{}, p, err
	}
	p, err = p.under(c, home)
	return c, p, err
}

// FindPaths returns where everything stands under the settings c, which were read
// from the usual file or the one that KEN_CONFIG names.
func FindPaths(getenv func(string) string, home string, c Config) (Paths, error) {
	p, err := findPaths(getenv, home, "")
	if err != nil {
		return Paths{}, err
	}
	return p.under(c, home)
}

// named is the path that a variable of the environment names; "" if it names none. The error is that it counts from where the
// person stands: whoever filled that directory would say what ken may do.
func named(getenv func(string) string, variable, home string) (string, error) {
	said := getenv(variable)
	if said == "" {
		return "", nil
	}
	path, err := expand(said, home)
	switch {
	case err != nil:
		return "", fmt.Errorf("find %s: %w", variable, err)
	case !filepath.IsAbs(path):
		return "", &hinted{fmt.Errorf("%s: %q is not an absolute path", variable, said), "write it from / or ~ on, or unset it"}
	}
	return path, nil
}

// findPaths is FindPaths without settings, and with a file of settings that was named on the command line; "": none was.
func findPaths(getenv func(string) string, home, file string) (Paths, error) {
	var p Paths
	dir, err := named(getenv, "KEN_HOME", home)
	if err != nil {
		return Paths{}, err
	}
	if dir != "" {
		p = Paths{
			Config: dir, Data: dir, State: dir, Flat: true,
			Cache: filepath.Join(dir, "cache"), Runtime: filepath.Join(dir, "run"),
		}
	} else {
		for _, d := range []struct {
			dst         *string
			name, usual string
		}{
			{&p.Config, "XDG_CONFIG_HOME", ".config"},
			{&p.Data, "XDG_DATA_HOME", ".local/share"},
			{&p.State, "XDG_STATE_HOME", ".local/state"},
			{&p.Cache, "XDG_CACHE_HOME", ".cache"},
		} {
			dir := getenv(d.name)
			if !filepath.IsAbs(dir) {
				if !filepath.IsAbs(home) {
					return Paths{}, &hinted{errNoHome, "set HOME, or KEN_HOME to a directory for all of ken's files"}
				}
				dir = filepath.Join(home, filepath.FromSlash(d.usual))
			}
			*d.dst = filepath.Join(dir, "ken")
		}
		p.Runtime = filepath.Join(p.State, "run")
		if dir := getenv("XDG_RUNTIME_DIR"); filepath.IsAbs(dir) {
			p.Runtime = filepath.Join(dir, "ken")
		}
	}
	if file == "" {
		p.file, err = named(getenv, "KEN_CONFIG", home)
	} else if p.file, err = absolute(file, home); err != nil {
		err = fmt.Errorf("find settings %s: %w", file, err)
	}
	if err != nil {
		return Paths{}, err
	}
	p.strict = p.file != ""
	return p, nil
}

// under moves what the settings move.
func (p Paths) under(c Config, home string) (Paths, error) {
	if c.History.Dir != "" {
		dir, err := expand(c.History.Dir, home)
		if err != nil {
			return Paths{}, fmt.Errorf("history.dir: %w", err)
		}
		p.Data = dir
	}
	if c.Memory.Path != "" {
		file, err := expand(c.Memory.Path, home)
		if err != nil {
			return Paths{}, fmt.Errorf("memory.path: %w", err)
		}
		p.memory = file
	}
	return p, nil
}

// expand turns a leading "~" into the home directory and cleans the path.
func expand(path, home string) (string, error) {
	full, ok := regular.Expand(path, home)
	if !ok {
		return "", &hinted{errNoHome, "set HOME, or write the path without ~"}
	}
	return filepath.Clean(full), nil
}

// absolute is expand for what stands on a command line, where a path may also count from the working directory.
func absolute(path, home string) (string, error) {
	path, err := expand(path, home)
	if err != nil {
		return "", err
	}
	return filepath.Abs(path)
}

// ConfigFile returns the file of settings.
func (p Paths) ConfigFile() string {
	if p.file != "" {
		return p.file
	}
	return filepath.Join(p.Config, "config.toml")
}

// Policies returns the directory of lifecycle policies.
func (p Paths) Policies() string { return filepath.Join(p.Config, "policies") }

// Memory returns the log of this device.
func (p Paths) Memory() string {
	if p.memory != "" {
		return p.memory
	}
	return filepath.Join(p.Data, "memory.jsonl")
}

// Peers returns the directory of the logs of the person's other devices.
func (p Paths) Peers() string { return filepath.Join(p.Data, "peers") }

// Review returns the file of proposals and decisions.
func (p Paths) Review() string { return filepath.Join(p.Data, "review.jsonl") }

// Sessions returns the directory of recorded conversations.
func (p Paths) Sessions() string { return filepath.Join(p.Data, "sessions") }

// Imports returns the directory of conversations that other programs recorded.
func (p Paths) Imports() string { return filepath.Join(p.Sessions(), "import") }

// Usage returns the file of when items were last of use.
func (p Paths) Usage() string { return filepath.Join(p.Data, "usage.jsonl") }

// Audit returns the file of automatic changes and approvals.
func (p Paths) Audit() string { return filepath.Join(p.Data, "audit.jsonl") }

// Profile is who the person is, in their words.
func (p Paths) Profile() string { return filepath.Join(p.Data, "profile.md") }

// Working returns the recent context with its expiry.
func (p Paths) Working() string { return filepath.Join(p.Data, "working.md") }

// Page returns the generated MEMORY.md.
func (p Paths) Page() string { return filepath.Join(p.Data, "MEMORY.md") }

// Skills returns the directory of skills.
func (p Paths) Skills() string { return filepath.Join(p.Data, "skills") }

// Lock returns the file that is locked for every append to a file of Data. The log
// has a lock of its own beside it if memory.path moved it: see MemoryLock.
func (p Paths) Lock() string { return filepath.Join(p.Data, ".lock") }

// MemoryLock returns the file that is locked for every append to the log.
func (p Paths) MemoryLock() string { return filepath.Join(filepath.Dir(p.Memory()), ".lock") }

// Device returns the file with the name of this device's log.
func (p Paths) Device() string { return filepath.Join(p.State, "device.json") }

// Trust returns the file of repository files that the person has let in.
func (p Paths) Trust() string { return filepath.Join(p.State, "trust.jsonl") }

// Approvals returns the file of lasting approvals.
func (p Paths) Approvals() string { return filepath.Join(p.State, "approvals.jsonl") }

// Met returns the file of the repositories and the found models that the person knows: where
// and with which the memory is used.
func (p Paths) Met() string { return filepath.Join(p.State, "met.jsonl") }

// Questions returns the file of which questions ken asked of its own accord, and when.
func (p Paths) Questions() string { return filepath.Join(p.State, "questions.jsonl") }

// MaskKey returns the file of the key that masks are made with.
func (p Paths) MaskKey() string { return filepath.Join(p.State, "mask.key") }

// LineHistory returns the file of what was entered at the shell's prompt. It is in
// State: what a person's fingers did on one device is not for the others.
func (p Paths) LineHistory() string { return filepath.Join(p.State, "history") }

// Erased returns the list of what was erased on this device, without its text.
func (p Paths) Erased() string { return filepath.Join(p.State, "erased.jsonl") }

// Run returns the directory of the locks that a running session holds. It is in
// State, not Runtime: a login without a runtime directory, as from cron, must
// find the same lock.
func (p Paths) Run() string { return filepath.Join(p.State, "run") }

// Index returns the directory of the derived index of this Data.
func (p Paths) Index() string { return filepath.Join(p.Cache, "index", short(realPath(p.Data))) }

// Vectors returns the file of what the texts of this Data mean as numbers, in a
// directory of its own. It is derived.
func (p Paths) Vectors() string {
	return filepath.Join(p.Cache, "vectors", short(realPath(p.Data)), "memory.vec")
}

// Head returns the derived file that remembers where the log ended.
func (p Paths) Head() string {
	return filepath.Join(p.Cache, "head", short(realPath(p.Memory()))+".json")
}

// Places returns the directory of what is remembered about repositories.
func (p Paths) Places() string { return filepath.Join(p.Cache, "places") }

// TestsIn returns the directory of the tests of the memory, which the person writes.
func TestsIn(p Paths) string { return filepath.Join(p.Data, "tests") }

// DailyIn returns the directory of the daily log.
func DailyIn(p Paths) string { return filepath.Join(p.Data, "daily") }

// ModelsIn returns the directory of what servers of models said of them. It is derived.
func ModelsIn(p Paths) string { return filepath.Join(p.Cache, "models") }

// ToolsIn returns the file of what the tools of servers were when the person approved of them.
func ToolsIn(p Paths) string { return filepath.Join(p.State, "tools.jsonl") }

// ClientsIn returns the file of the programs that have a token of the server.
func ClientsIn(p Paths) string { return filepath.Join(p.State, "clients.jsonl") }

// TelegramIn returns the file of who is paired with the person's bot.
func TelegramIn(p Paths) string { return filepath.Join(p.State, "telegram.json") }

// ToldIn returns the directory of what the person was told once. It is derived.
func ToldIn(p Paths) string { return filepath.Join(p.Cache, "told") }

// AskedIn returns the directory of when programs that have a token last asked. It is derived.
func AskedIn(p Paths) string { return filepath.Join(p.Cache, "asked") }

// ServedIn returns the directory of where the server of the page listens. It is derived.
func ServedIn(p Paths) string { return filepath.Join(p.Cache, "served") }

// LoginsIn returns the directory of what signing in to tool servers gave.
func LoginsIn(p Paths) string { return filepath.Join(p.State, "logins") }

// LateIn returns the directory of which tool servers did not answer. It is derived.
func LateIn(p Paths) string { return filepath.Join(p.Cache, "late") }

// DraftsIn returns the directory of the texts that an editor has, each in a directory of
// its own, and of those that were kept from being lost.
func DraftsIn(p Paths) string { return filepath.Join(p.State, "drafts") }

// OutputsIn returns the directory of what tools printed, in a directory for each conversation.
func OutputsIn(p Paths) string { return filepath.Join(p.Cache, "out") }

// UndoIn returns the directory of what files held before they were changed for the person.
func UndoIn(p Paths) string { return filepath.Join(p.State, "undo") }

// SetupIn returns the directory of what files of other assistants held before they were changed for the person.
func SetupIn(p Paths) string { return filepath.Join(p.State, "setup") }

// realPath resolves symbolic links as far as the path exists, so that one
// directory under two names has one cache.
func realPath(path string) string {
	rest := ""
	for dir := path; ; {
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			return filepath.Join(real, rest)
		}
		up := filepath.Dir(dir)
		if up == dir {
			return path
		}
		rest, dir = filepath.Join(filepath.Base(dir), rest), up
	}
}

// short is a name for a path in a directory of caches.
func short(path string) string {
	sum := sha256.Sum256([]byte(path))
	return hex.EncodeToString(sum[:8])
}
