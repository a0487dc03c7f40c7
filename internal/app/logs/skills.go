package logs

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"ken/internal/fault"
	"ken/internal/skill"
	"ken/internal/text"
	"ken/internal/trust"
)

// Skills are those of the person, and those of the repository where they stand as far as
// they let them in. All fields but Clock are required.
type Skills struct {
	Repo    *Repo
	UserDir func() string    // the person's home directory; "" if there is none
	Clock   func() time.Time // the machine's; nil: nothing is noted of files
	Mask    func(string) string

	heads  *skill.Heads
	headAt string // the file of heads
	bodies map[string]body
	told   string
	live   []skill.File // at the last look
	looked bool
}

// body is what was read of a file that had that stamp.
type body struct {
	stamp string
	skill skill.Skill
}

// A Skill is a file and how it stands.
type Skill struct {
	skill.File
	trust.Standing // of a project's
}

// Counts reports whether a model may be shown it.
func (k Skill) Counts() bool { return k.Bad == nil && k.Shadowed == "" && k.letIn() }

func (k Skill) letIn() bool { return k.Dir.From != skill.Project || k.Verdict == trust.Use }

// project are where a repository keeps skills, from its top; what stands later counts more.
func project() []string { return []string{".ken/skills", ".agents/skills", ".claude/skills"} }

// dirs are the directories of skills, those that count most last.
func (s *Skills) dirs() []skill.Dir {
	p := s.Repo.Own.Paths()
	list := []skill.Dir{{Path: p.Skills(), From: skill.Own}}
	if home := s.UserDir(); home != "" {
		for _, rel := range []string{".agents", ".claude"} {
			list = append(list, skill.Dir{Path: filepath.Join(home, rel, "skills"), From: skill.Agent})
		}
	}
	list = append(list, skill.Dir{Path: filepath.Join(p.Config, "skills"), From: skill.Own})
	if s.Repo.Dir() == "" {
		return list
	}
	if here := s.Repo.Place(); here.Repo != nil {
		for _, rel := range project() {
			list = append(list, skill.Dir{Path: filepath.Join(here.Repo.Top, filepath.FromSlash(rel)), From: skill.Project, Top: here.Repo.Top})
		}
	}
	return list
}

// finder finds them, by what is known of files.
func (s *Skills) finder() skill.Finder {
	at := filepath.Join(s.Repo.Own.Paths().Cache, "skills", "heads")
	if s.Clock != nil && (s.heads == nil || s.headAt != at) {
		s.heads, s.headAt = &skill.Heads{Path: at, Now: s.Clock, Mask: s.Mask}, at
	}
	return skill.Finder{Dirs: s.dirs(), Known: s.heads}
}

// All returns every file that is a skill or would be, by name, with how it stands now; the
// one that counts stands before others of its name.
func (s *Skills) All() ([]Skill, error) {
	files := s.finder().Find()
	if !s.Repo.Own.OnlyRead() {
		if err := s.heads.Save(); err != nil {
			s.Repo.Warn(fault.Detail(fmt.Errorf("what skills say is read again each time: %w", err)))
		}
	}
	said := make(map[string]trust.Standing)
	for i, f := range files {
		if f.Dir.From != skill.Project || f.Bad != nil {
			continue
		}
		if len(said) == 0 {
			book, err := trust.Load(s.Repo.Own.Paths().Trust())
			if err != nil {
				return nil, err
			}
			for _, bad := range book.Bad {
				s.Repo.Warn(fault.Once(bad))
			}
			here := s.Repo.Place()
			for _, f := range files[i:] {
				if f.Dir.From == skill.Project && f.Bad == nil {
					said[f.Path] = book.Of(brought(f), func(scope string) bool { return here.Same(scope, here.RepoScope()) })
				}
			}
		}
	}
	skill.Count(files, func(f skill.File) bool { return f.Dir.From != skill.Project || said[f.Path].Verdict == trust.Use })
	all := make([]Skill, len(files))
	for i, f := range files {
		all[i] = Skill{f, said[f.Path]}
	}
	return all, nil
}

// brought is a skill of a repository as trust knows it, without its text.
func brought(f skill.File) trust.File {
	return trust.File{Skill: true, Log: f.Rel, Path: f.Rel, SHA256: f.SHA256, Bad: f.Bad}
}

// Brought returns the skills of the repository, with their texts, for the person to decide
// about.
func (s *Skills) Brought() ([]trust.Brought, error) {
	all, err := s.All()
	if err != nil {
		return nil, err
	}
	var list []trust.Brought
	var book *trust.Decisions
	for _, k := range all {
		if k.Dir.From != skill.Project || k.Rel == "" {
			continue
		}
		b := trust.Brought{File: brought(k.File), Standing: k.Standing, Refused: k.Bad}
		if k.Bad == nil && k.Verdict != trust.Use {
			if book == nil {
				read, err := trust.Load(s.Repo.Own.Paths().Trust())
				if err != nil {
					return nil, err
				}
				book = &read
			}
			here := s.Repo.Place()
			if b.Text, b.Refused = k.Text(); b.Refused == nil && !utf8.Valid(b.Text) {
				b.Refused = errors.New("it is no text in UTF-8")
			}
			b.Standing = book.Of(b.File, func(scope string) bool { return here.Same(scope, here.RepoScope()) })
		}
		b.Clash = "" // every repository may have a skill of that name
		list = append(list, b)
	}
	return list, nil
}

// Live returns the skills that count now, by name. What of the repository does not is an
// event, once.
func (s *Skills) Live() []skill.File {
	s.live, s.looked = nil, true
	all, err := s.All()
	if err != nil {
		s.Repo.Warn(fault.Once(fmt.Errorf("this repository's skills are not used: %w", err)))
		return nil
	}
	var live []skill.File
	var waits []string
	for _, k := range all {
		switch {
		case k.Counts():
			live = append(live, k.File)
		case k.Dir.From == skill.Project && k.Bad == nil && k.Verdict == "":
			waits = append(waits, k.Name)
		}
	}
	if key := strings.Join(waits, "\n"); key != s.told {
		s.told = key
		if len(waits) > 0 {
			s.Repo.Note(fault.Aside(fault.Textf("not used: %d skills of this repository, %s (to see them: %s)",
				len(waits), strings.Join(waits[:min(len(waits), 5)], ", "), fault.Command("skills trust"))))
		}
	}
	s.live = live
	return live
}

// Seen returns the skills that counted at the last look, which each question begins with; it looks if there was none.
func (s *Skills) Seen() []skill.File {
	if !s.looked {
		return s.Live()
	}
	return s.live
}

// Named returns the skill of that name among live ones, whatever the case of its letters
// where one alone has it.
func Named(live []skill.File, name string) (skill.File, bool) {
	var folded []skill.File
	for _, f := range live {
		if f.Name == name {
			return f, true
		}
		if strings.EqualFold(f.Name, name) {
			folded = append(folded, f)
		}
	}
	if len(folded) == 1 {
		return folded[0], true
	}
	return skill.File{}, false
}

// Load reads the body of a skill that counts. Of a file that has not changed it is read
// once.
func (s *Skills) Load(f skill.File) (skill.Skill, error) {
	if b, ok := s.bodies[f.Path]; ok && b.stamp == f.Stamp && f.Stamp != "" {
		return b.skill, nil
	}
	k, err := f.Load()
	if err != nil {
		return skill.Skill{}, fmt.Errorf("the skill %s: %w", f.Name, err)
	}
	const most = 32
	if s.bodies == nil || len(s.bodies) >= most {
		s.bodies = make(map[string]body)
	}
	s.bodies[f.Path] = body{f.Stamp, k}
	return k, nil
}

// A Used is a skill that goes with a question.
type Used struct {
	Name    string
	Path    string // of the file; of a project's from its top, with slashes
	SHA256  string // 64 hexadecimal digits
	Foreign bool   // it is a project's, the word of others
	Text    string // its body, or the beginning of it
	Of      int    // bytes that the body has
}

// leastRoom is the least of a body that is worth its place, in characters.
const leastRoom = 200

// Index is a line for each skill that counts now, as a prompt has it; "" if none does.
func (s *Skills) Index() string { return skill.Index(s.Live()) }

// For returns what goes with a question: the skills named, within askedFor characters of
// text, then those that it calls for, within most of them. What has no place is cut behind
// a line, or left out.
func (s *Skills) For(question string, named []string, askedFor, most int) []Used {
	live := s.Live()
	if len(named) == 0 && most < leastRoom {
		return nil
	}
	var used []Used
	taken := make(map[string]bool)
	add := func(f skill.File, room *int) {
		if taken[f.Name] || *room < leastRoom {
			return
		}
		k, err := s.Load(f)
		if err != nil {
			if !errors.Is(err, fs.ErrNotExist) {
				s.Repo.Warn(fault.Once(err))
			}
			return
		}
		taken[f.Name] = true
		text := cutAtLine(k.Body, *room)
		*room -= utf8.RuneCountInString(text)
		if strings.TrimSpace(text) != "" {
			used = append(used, s.used(f, k, text))
		}
	}
	for _, name := range named {
		if f, ok := Named(live, name); ok {
			add(f, &askedFor)
		}
	}
	for _, f := range skill.Matched(question, live) {
		add(f, &most)
	}
	return used
}

func (s *Skills) used(f skill.File, k skill.Skill, text string) Used {
	u := Used{Name: f.Name, SHA256: f.SHA256, Path: f.Path, Foreign: f.Dir.From == skill.Project, Text: text, Of: len(k.Body)}
	if u.Foreign {
		u.Path = f.Rel
	}
	if u.SHA256 == "" {
		u.SHA256 = skill.Sum([]byte(k.Body))
	}
	return u
}

// cutAtLine is as many whole lines of a text as have so many characters.
func cutAtLine(s string, most int) string {
	cut := text.CutRunes(s, most)
	if i := strings.LastIndexByte(cut, '\n'); cut != s && i > 0 {
		return cut[:i]
	}
	return cut
}

// Place is where a skill is, as it is shown: from the top of the repository where it is one's.
func (k Skill) Place(short func(string) string) string {
	if k.Rel != "" {
		return path.Clean(k.Rel)
	}
	return short(k.Path)
}

// Called is the name of the skill that counts and that a person means by a name; ok is false
// if there is none.
func (s *Skills) Called(name string) (called string, ok bool) {
	f, ok := Named(s.Live(), name)
	return f.Name, ok
}

// Names returns the skills that there are, one of each name, without their bodies; or the drafts.
func (s *Skills) Names(drafts bool) ([]skill.Skill, error) {
	var list []skill.Skill
	if drafts {
		all, err := skill.Drafts{Dir: s.Repo.Own.Paths().Skills()}.List()
		for _, d := range all {
			d.Skill.Name = d.Name
			list = append(list, d.Skill)
		}
		return list, err
	}
	all, err := s.All()
	for _, k := range all {
		if k.Bad == nil && k.Shadowed == "" {
			list = append(list, k.Skill)
		}
	}
	return list, err
}
