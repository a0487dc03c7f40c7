package config

import (
	"path/filepath"
	"slices"
	"strings"
)

// A File is one kind of file that ken keeps: one file, or all in a directory whose
// names have a form.
type File struct {
	Path  string // of the file, or of the directory
	Names string // a pattern of the names in the directory (filepath.Match); "": Path is the file
	Deep  bool   // those in directories below count as well
	What  string // it is, in a few words
	By    Owner
	Lock  string // the directory whose lock is held while it is changed; "": none is
	Lines bool   // each line is a JSON object
	Text  bool   // what the person said may stand in it, or what was made of it
	// Derived says that it is made of other files, and may go at any time.
	Derived bool
	// Whole says that it goes as a whole where a text in it is to go: its name says what it holds.
	Whole bool
	// Grants says that it allows something or speaks for the person: see Own.
	Grants bool
}

// An Owner is who writes a file.
type Owner string

// The owners.
const (
	ByKen    Owner = "ken"
	ByPerson Owner = "the person" // ken changes it when the person says so
	ByDevice Owner = "another device"
)

// Files returns all files that ken keeps, each kind once: whoever does something to every
// file goes by this list. A file that two of them match is of the first.
func (p Paths) Files() []File {
	cache := func(path, what string) File {
		return File{Path: path, Names: "*", Deep: true, What: what, By: ByKen, Lock: p.Data, Text: true, Derived: true}
	}
	return []File{
		{Path: p.ConfigFile(), What: "settings", By: ByPerson, Lock: p.State, Grants: true},
		{Path: p.Policies(), Names: "*.toml", What: "policies", By: ByPerson, Grants: true},
		{Path: filepath.Join(p.Config, "commands"), Names: "*.md", What: "commands of the person's own", By: ByPerson},
		{Path: TestsIn(p), Names: "*.toml", What: "tests of the memory", By: ByPerson, Lock: p.Data, Text: true},

		{Path: p.Memory(), What: "memory", By: ByKen, Lock: filepath.Dir(p.Memory()), Lines: true, Text: true},
		{Path: p.Peers(), Names: "*.jsonl", What: "replica", By: ByDevice, Lock: p.Peers(), Lines: true, Text: true},
		{Path: p.Review(), What: "suggestions", By: ByKen, Lock: p.Data, Lines: true, Text: true},
		{Path: p.Usage(), What: "use of memories", By: ByKen, Lock: p.Data, Lines: true, Text: true},
		{Path: p.Audit(), What: "what was done", By: ByKen, Lock: p.Data, Lines: true, Text: true},
		{Path: p.Profile(), What: "who the person is", By: ByKen, Lock: p.Data, Text: true, Grants: true},
		{Path: p.Working(), What: "recent context", By: ByKen, Lock: p.Data, Text: true, Grants: true},
		{Path: p.Page(), What: "page of the memory", By: ByKen, Lock: p.Data, Text: true, Derived: true},
		{Path: DailyIn(p), Names: "*.md", What: "daily log", By: ByKen, Lock: p.Data, Text: true},
		{Path: p.Sessions(), Names: "*.jsonl", What: "conversation", By: ByKen, Lock: p.Data, Lines: true, Text: true},
		{Path: p.Imports(), Names: "*.jsonl", What: "imported conversation", By: ByKen, Lock: p.Data, Lines: true, Text: true},
		{
			Path: filepath.Join(p.Skills(), "drafts"), Names: "*", Deep: true, What: "drafts of skills", By: ByKen, Lock: p.Data,
			Text: true, Whole: true,
		},
		{Path: p.Skills(), Names: "*", Deep: true, What: "skills", By: ByPerson},

		{Path: p.Device(), What: "name of this device's log", By: ByKen, Lock: p.Data, Grants: true},
		{Path: p.MaskKey(), What: "key of masks", By: ByKen, Grants: true},
		{Path: p.Trust(), What: "files of repositories let in", By: ByKen, Lock: p.State, Lines: true, Grants: true},
		{Path: p.Approvals(), What: "lasting approvals", By: ByKen, Lock: p.State, Lines: true, Text: true, Grants: true},
		{Path: ToolsIn(p), What: "tools approved of", By: ByKen, Lock: p.State, Lines: true, Text: true, Grants: true},
		{Path: ClientsIn(p), What: "who has a token of the server", By: ByKen, Lock: p.State, Lines: true, Grants: true},
		{Path: TelegramIn(p), What: "who is paired with the bot", By: ByKen, Lock: p.State, Grants: true},
		{Path: LoginsIn(p), Names: "*.json", What: "logins at tool servers", By: ByKen, Lock: LoginsIn(p), Grants: true},
		{Path: p.Met(), What: "repositories and models met", By: ByKen, Lock: p.State, Lines: true, Grants: true},
		{Path: p.Questions(), What: "what ken asked unasked", By: ByKen, Lock: p.State, Lines: true},
		{Path: p.Erased(), What: "what was erased", By: ByKen, Lock: p.State, Lines: true},
		{Path: p.LineHistory(), What: "what was typed", By: ByKen, Lock: p.State, Text: true},
		{Path: DraftsIn(p), Names: "*", Deep: true, What: "what an editor has", By: ByKen, Lock: p.State, Text: true},
		{Path: UndoIn(p), Names: "*", What: "what files held before", By: ByKen, Lock: p.State, Text: true, Whole: true},
		{Path: SetupIn(p), Names: "*", What: "what files of assistants held before", By: ByKen, Lock: p.State, Text: true, Whole: true},
		{Path: p.Run(), Names: "shell.*", What: "what a shell last ran", By: ByKen, Lock: p.State, Text: true, Derived: true},
		{Path: p.Run(), Names: "part.*", What: "what has come of an answer", By: ByKen, Lock: p.Data, Text: true, Derived: true},
		{Path: p.Run(), Names: "*", What: "locks of what runs", By: ByKen},

		{Path: p.Places(), Names: "*", Deep: true, What: "what is known of repositories", By: ByKen, Derived: true},
		{Path: ModelsIn(p), Names: "*", What: "what servers said of their models", By: ByKen, Derived: true},
		{Path: LateIn(p), Names: "*", What: "which tool servers did not answer", By: ByKen, Derived: true},
		{Path: AskedIn(p), Names: "*", What: "when programs last asked", By: ByKen, Derived: true},
		{Path: ServedIn(p), Names: "*", What: "where the server of the page listens", By: ByKen, Derived: true},
		{Path: ToldIn(p), Names: "*", What: "what was told once", By: ByKen, Derived: true},
		cache(filepath.Dir(p.Index()), "index"),
		cache(filepath.Dir(filepath.Dir(p.Vectors())), "vectors"),
		cache(OutputsIn(p), "what tools printed"),
		cache(p.Cache, "other derived files"),

		{Path: p.Data, Names: ".lock", What: "lock", By: ByKen},
		{Path: p.State, Names: ".lock", What: "lock", By: ByKen},
		{Path: p.Config, Names: ".lock", What: "lock", By: ByKen},
		{Path: p.Peers(), Names: ".lock", What: "lock", By: ByKen},
		{Path: LoginsIn(p), Names: ".lock", What: "lock", By: ByKen},
		{Path: filepath.Dir(p.Memory()), Names: ".lock", What: "lock", By: ByKen},
	}
}

// Find returns the kind of the file at path among files; ok is false if it is none.
func Find(files []File, path string) (f File, ok bool) {
	if i := slices.IndexFunc(files, func(f File) bool { return f.Is(path) }); i >= 0 {
		return files[i], true
	}
	return File{}, false
}

// Is reports whether a file at path is of this kind.
func (f File) Is(path string) bool {
	if f.Names == "" {
		return path == f.Path
	}
	below, err := filepath.Rel(f.Path, path)
	if err != nil || below == "." || below == ".." || strings.HasPrefix(below, ".."+string(filepath.Separator)) {
		return false
	}
	ok, err := filepath.Match(f.Names, filepath.Base(path))
	return err == nil && ok && (f.Deep || filepath.Dir(path) == f.Path)
}
