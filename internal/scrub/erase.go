package scrub

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"ken/internal/config"
	"ken/internal/engine"
	"ken/internal/jsonl"
	"ken/internal/memory"
	"ken/internal/regular"
	"ken/internal/review"
	"ken/internal/session"
	"ken/internal/text"
)

// An Eraser knows where everything is.
type Eraser struct {
	Engine   *engine.Writer
	Logs     []Log       // this device's first
	Sessions session.Dir // of conversations; imports lie below it
	Queue    *review.Log
	Paths    config.Paths
	Project  string              // the repository's .ken; "" if there is none
	Mask     func(string) string // what stands in a session for a text with a secret in it; nil: the text
	FS       jsonl.FS            // nil: the machine's
	// Seal is that of sums that are written; nil: none is sealed. See Rehash.
	Seal func() (*memory.Seal, error)
}

// A Log is one log of the memory, for reading.
type Log struct {
	Path string
	Name string // "" for this device's
	Log  memory.Log
	// Foreign says that others write it too, as those of a repository: it is read,
	// and nothing in it is changed.
	Foreign bool
}

func (e *Eraser) fs() jsonl.FS {
	if e.FS == nil {
		return jsonl.OS{}
	}
	return e.FS
}

// A Want says what is to go.
type Want struct {
	IDs   []memory.ID // items, whatever became of them
	Texts []string    // texts that no memory need say any more
	// Words are texts, however short, that nothing is to say any more as words: where they stand
	// within a longer word they are not meant.
	Words []string
	Turns []memory.Turn // turns that a person named, whatever they say
	// Scope says which scopes go as a whole, with what was said there and what
	// was suggested for them; nil: none.
	Scope        func(string) bool
	KeepSessions bool // conversations stay as they are
}

// Why a turn goes.
const (
	WhyTaught = "taught it"
	WhySays   = "says it"
	WhyNamed  = "named"
	WhyScope  = "was said there"
)

// A Plan is what erasing would do. It is made of the files as they are, and made
// again when they change.
type Plan struct {
	Memories  []Memory
	Lines     int // of logs that state or edit them, or cannot be read and hold the text
	Turns     []Turn
	Sessions  int // conversations that are rewritten
	Proposals int
	Similar   []Similar
	// Shared are turns that stay and share a rare word with a text that goes.
	Shared []Shared
	// Given are other assistants that were given one of the memories.
	Given []Given
	// Untouched counts turns that have a short text among other words.
	Untouched int
	// Unsearched says that there are too many texts to look for what resembles
	// them.
	Unsearched bool
	CitedBy    []string // references of active items that rest on one that goes
	Files      []string // that will be replaced

	want     Want
	ids      map[memory.ID]bool
	replaced map[memory.ID]bool // of ids: what those that were named replaced
	taught   map[memory.Turn]bool
	broken   map[memory.ID]bool // lines that cannot be read, by their hash
	reviews  map[int64]bool     // proposals that the items were
	known    map[string]bool
	texts    []string
	long     *text.Matcher
	words    *text.Matcher
	short    map[string]bool // normalised
	whole    *text.Matcher   // short texts as the whole of a string of JSON
}

// Texts returns the set of texts that go, short ones left out.
func (p *Plan) Texts() *text.Matcher { return p.long }

// Takes reports whether a text holds one that goes, short ones left out.
func (p *Plan) Takes(b []byte) bool { return p.long.InBytes(b) || p.words.InBytes(b) }

// Known reports whether the text of what goes is known: of what was erased before
// it is not.
func (p *Plan) Known() bool { return len(p.texts)+p.words.Len() > 0 }

// Nothing reports whether the plan would change no file.
func (p *Plan) Nothing() bool {
	return len(p.ids)+len(p.broken) == 0 && len(p.Turns) == 0 && p.Sessions == 0 && p.Proposals == 0
}

// addText adds what an item says, in the form in which it stands in a log and in
// that in which it stands in a session.
func (e *Eraser) addText(p *Plan, said string) {
	forms := []string{said}
	if e.Mask != nil {
		forms = append(forms, e.Mask(said))
	}
	for _, t := range forms {
		n := text.Normal(t)
		if n == "" || p.known[n] {
			continue
		}
		p.known[n] = true
		p.texts = append(p.texts, n)
	}
}

// settle makes the sets of the texts.
func (p *Plan) settle() {
	var long, whole []string
	p.short = make(map[string]bool)
	for _, t := range p.texts {
		if text.Short(t) {
			p.short[t] = true
			whole = append(whole, text.Whole(t)...)
		} else {
			long = append(long, t)
		}
	}
	p.long, p.whole = text.NewMatcher(long...), text.NewMatcher(whole...)
	p.words = text.NewWordMatcher(p.want.Words...)
}

// holds reports whether bytes of a file hold one of the texts.
func (p *Plan) holds(b []byte) bool { return p.Takes(b) || p.whole.InBytes(b) }

// within is holds for what r gives, in bounded memory.
func (p *Plan) within(r io.Reader) (bool, error) { return text.InReader(r, p.long, p.words, p.whole) }

// inFile is within for the file at path; a missing one holds nothing.
func (p *Plan) inFile(path string) (bool, error) {
	f, err := regular.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer func() { _ = f.Close() }() // it was only read
	return p.within(f)
}

// says reports whether a text of a person or a model is, or has in it, one of the
// texts.
func (p *Plan) says(said string) bool {
	return p.Takes([]byte(said)) || p.isShort(said)
}

// isShort reports whether a text is one of the short ones, among marks or without.
func (p *Plan) isShort(said string) bool {
	return len(p.short) > 0 && (p.short[text.Normal(said)] || p.short[text.Normal(string(text.Unmark([]byte(said))))])
}

// sessionFiles are the files of conversations and imports.
func (e *Eraser) sessionFiles() ([]string, error) {
	var all []string
	for _, dir := range []session.Dir{e.Sessions, e.Sessions.Imports()} {
		paths, err := dir.Paths()
		if err != nil {
			return nil, err
		}
		slices.Sort(paths)
		all = append(all, paths...)
	}
	return all, nil
}

// stem is the name of a session file without its suffix.
func stem(path string) string { return strings.TrimSuffix(filepath.Base(path), ".jsonl") }

// Run takes everything of the plan away, the log last. An error says what could not
// be done; running again, or making the plan anew, goes on from there.
func (e *Eraser) Run(ctx context.Context, p *Plan) error {
	ids := make([]memory.ID, 0, len(p.ids))
	for id := range p.ids {
		ids = append(ids, id)
	}
	for id := range p.broken {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, compareIDs)
	if err := e.Engine.Erase(ctx, func(ctx context.Context) error { return e.files(ctx, p) }, ids...); err != nil {
		return err
	}
	// Until now another ken could make vectors and an index of what the log still
	// stated.
	_, err := e.Rehash(ctx)
	if err == nil {
		_, err = e.sealNames(ctx, ids)
	}
	return errors.Join(e.scrubVectors(ctx), e.scrubIndex(ctx), err)
}

func compareIDs(a, b memory.ID) int {
	return cmp.Or(cmp.Compare(a.Log, b.Log), cmp.Compare(a.N, b.N), cmp.Compare(a.Hash, b.Hash))
}
