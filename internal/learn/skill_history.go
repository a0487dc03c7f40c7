package learn

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ken/internal/app"
	"ken/internal/skill"
)

// What became of a draft.
const (
	Waits    = "waits"    // in drafts/
	Refused  = "refused"  // the person said no to it
	Promoted = "promoted" // there is a skill of its name
	Gone     = "gone"     // there is neither
)

// A SkillStep is one draft that was made, as the audit has it.
type SkillStep struct {
	Time   time.Time
	Name   string
	SHA256 string
	Seen   []string // turns, "<session>:<n>"
	Became string
}

// SkillHistory returns the last n drafts that were made, the newest first; n of 0 is all.
func SkillHistory(ctx context.Context, h *app.View, n int) (list []SkillStep, err error) {
	for e, err := range auditOf(h).Entries() {
		if errors.Is(err, fs.ErrNotExist) {
			break
		}
		if err != nil {
			return nil, err
		}
		if e.Act != actSkill || len(e.Refs) == 0 {
			continue
		}
		name, ok := strings.CutPrefix(e.Refs[0], skillRef(""))
		if ok && skill.ValidName(name) {
			list = append(list, SkillStep{Time: e.Time, Name: name, SHA256: e.Hash, Seen: e.Refs[1:]})
		}
	}
	slices.Reverse(list)
	if n > 0 {
		list = list[:min(n, len(list))]
	}
	if len(list) == 0 {
		return nil, nil
	}
	known, err := skillsProposed(ctx, h)
	if err != nil {
		return nil, err
	}
	dir := h.Settings.Paths().Skills()
	there := func(elem ...string) bool {
		_, err := os.Lstat(filepath.Join(append([]string{dir}, elem...)...))
		return err == nil
	}
	for i := range list {
		s := &list[i]
		switch {
		case slices.ContainsFunc(known, func(p past) bool { return p.refused && p.name == s.Name }):
			s.Became = Refused
		case there("drafts", s.Name):
			s.Became = Waits
		case there(s.Name):
			s.Became = Promoted
		default:
			s.Became = Gone
		}
	}
	return list, nil
}

// UnwantedDrafts returns those of drafts that the person refused, by name, and that are still what they
// refused: one that was changed since waits as a draft does.
func UnwantedDrafts(ctx context.Context, h *app.View, drafts []skill.Draft) (map[string]bool, error) {
	if len(drafts) == 0 {
		return nil, nil
	}
	known, err := skillsProposed(ctx, h)
	if err != nil {
		return nil, err
	}
	out := make(map[string]bool)
	for _, d := range drafts {
		of := func(p past) bool { return p.name == d.Name && p.sum == d.SHA256 }
		if i := slices.IndexFunc(known, of); i >= 0 && known[i].refused {
			out[d.Name] = true
		}
	}
	return out, nil
}
