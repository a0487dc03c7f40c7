package home

import (
	"path/filepath"

	"ken/internal/memory/filelog"
	"ken/internal/scrub"
)

// Eraser is what erases from all files of this run.
func (a *Home) Eraser() (*scrub.Eraser, error) {
	e, err := a.Writer()
	if err != nil {
		return nil, err
	}
	logs := []scrub.Log{{Path: a.Settings.paths.Memory(), Log: filelog.Open(a.Settings.paths.Memory(), filelog.Options{ReadOnly: true})}}
	replicas, err := a.Logs.Replicas()
	if err != nil {
		return nil, err
	}
	letIn, _ := a.RepoLogs.LetIn()
	for _, r := range append(replicas, letIn...) {
		l := scrub.Log{Name: r.Name, Log: r.Log, Foreign: r.Ceiling.Rank() > 0}
		if f, ok := r.Log.(*filelog.Log); ok {
			l.Path = f.Path()
		}
		logs = append(logs, l)
	}
	project := ""
	if here := a.Here.Place(); here.Repo != nil {
		project = filepath.Join(here.Repo.Top, ".ken")
	}
	return &scrub.Eraser{
		Engine: e, Logs: logs, Sessions: a.SessionDir(), Queue: a.Logs.Queue(), Paths: a.Settings.paths, Project: project, Mask: a.Keys.MaskText,
		Seal: a.Keys.Seal,
	}, nil
}
