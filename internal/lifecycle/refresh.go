package lifecycle

import (
	"cmp"
	"path"
	"strings"

	"ken/internal/memory"
	"ken/internal/text"
)

// A File is what a file holds that memories are of. The zero File cannot be read.
type File struct {
	Digest string   // SHA-256, 64 hexadecimal digits; "" if it cannot be read
	Lines  []string // its lines, without what marks a point
}

// FileOf is what a file of text holds.
func FileOf(content []byte, digest string) File {
	f := File{Digest: digest}
	for line := range strings.Lines(string(content)) {
		if line = strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(line), "-*+#>0123456789.) \t")); line != "" {
			f.Lines = append(f.Lines, line)
		}
	}
	return f
}

// What is to become of a memory whose file has changed.
const (
	RefreshEdit   = "edit"   // the file says it in other words
	RefreshForget = "forget" // the file says it no more
	RefreshLook   = "look"   // the person said it themselves, or the file cannot be read: nothing is proposed
)

// A Refresh is a memory whose file has changed since it was learned from it.
type Refresh struct {
	Item   memory.Item
	Do     string
	To     string // with RefreshEdit: what the file says now
	Digest string // of the file as it is; "" if it cannot be read
	Why    string // for a person, in a line
}

// alike is how much of the words of a memory a line of its file shares that says the same in other words.
const alike = 0.5

// Refreshes returns what is to become of the memories of files that have changed; what the file still says word for word stays as it
// is, and so does all of a file with the digest that the memory names. read gives a file as it is now. Only items in force of the own
// log are looked at. Nothing is changed: each is a proposal.
func Refreshes(s *memory.State, read func(file string) File) (list []Refresh) {
	files := make(map[string]File)
	for _, it := range s.With(memory.StatusActive) {
		src := it.Record.Source
		if src == nil || src.File == "" || src.Digest == "" || it.ID.Log != "" || !it.Active() {
			continue
		}
		f, ok := files[src.File]
		if !ok {
			f = read(src.File)
			files[src.File] = f
		}
		if r := refresh(it, f); r.Do != "" {
			list = append(list, r)
		}
	}
	return list
}

// refresh is what is to become of one memory; Do is "" if nothing is.
func refresh(it memory.Item, f File) Refresh {
	src := it.Record.Source
	r := Refresh{Item: it, Digest: f.Digest}
	name := path.Base(src.File)
	switch f.Digest {
	case src.Digest:
		return Refresh{}
	case "":
		r.Do, r.Why = RefreshLook, name+" cannot be read any more"
		return r
	}
	says := text.Normal(it.Record.Content)
	words := text.Words(says)
	best, share := "", 0.0
	for _, line := range f.Lines {
		n := text.Normal(line)
		if n == says || strings.Contains(n, says) {
			return Refresh{}
		}
		if s, _ := text.Similarity(words, text.Words(n)); s > share || s == share && s > 0 && cmp.Compare(line, best) < 0 {
			best, share = line, s
		}
	}
	switch {
	case it.Origin.Rank() == 0:
		r.Do, r.Why = RefreshLook, name+" has changed since"
	case share >= alike:
		r.Do, r.To, r.Why = RefreshEdit, best, name+" says it in other words now"
	default:
		r.Do, r.Why = RefreshForget, name+" says it no more"
	}
	return r
}
