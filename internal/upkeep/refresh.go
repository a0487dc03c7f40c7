package upkeep

import (
	"path/filepath"

	"ken/internal/app"
	"ken/internal/engine"
	"ken/internal/foreign"
	"ken/internal/lifecycle"
	"ken/internal/memory"
	"ken/internal/regular"
)

// SourceOf is foreign.PageOf of a file as the person names it.
func SourceOf(h *app.View, file string) (*memory.Source, error) {
	path, err := filepath.Abs(file)
	if err != nil {
		return nil, err
	}
	return foreign.PageOf(path, h.Settings.Short(path))
}

// Refreshed suggests what is to become of memories whose file says something else now; looks are those of which nothing can be
// suggested. It reads the files, and changes nothing.
func Refreshed(h *app.View, s *memory.State) (list []engine.Suggestion, looks []lifecycle.Refresh) {
	read := func(file string) lifecycle.File {
		file, _ = regular.Expand(file, h.Settings.UserDir())
		content, err := regular.Read(file, foreign.MaxPage)
		if err != nil || !filepath.IsAbs(file) {
			return lifecycle.File{}
		}
		return lifecycle.FileOf(content, foreign.Digest(content))
	}
	for _, r := range lifecycle.Refreshes(s, read) {
		rec := memory.Record{Target: r.Item.ID, Origin: memory.OriginImport}
		switch r.Do {
		case lifecycle.RefreshEdit:
			rec.Kind, rec.Content = memory.KindEdit, r.To
			rec.Source = &memory.Source{File: r.Item.Record.Source.File, Digest: r.Digest}
		case lifecycle.RefreshForget:
			rec.Kind, rec.Detail = memory.KindForget, &memory.Detail{Reason: r.Why}
		default:
			looks = append(looks, r)
			continue
		}
		list = append(list, engine.Suggestion{Record: rec, Why: r.Why})
	}
	return list, looks
}
