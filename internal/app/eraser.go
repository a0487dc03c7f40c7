package app

import (
	"path/filepath"

	"ken/internal/app/logs"
	"ken/internal/scrub"
)

// Eraser returns what erases from all files of this run.
func (m *Memory) Eraser() (*scrub.Eraser, error) {
	e, err := m.Writer()
	if err != nil {
		return nil, err
	}
	all := []scrub.Log{{Path: m.settings.paths.Memory(), Log: m.logs.ReadOnly()}}
	replicas, err := m.logs.Replicas()
	if err != nil {
		return nil, err
	}
	letIn, _ := m.repo.LetIn()
	for _, r := range append(replicas, letIn...) {
		all = append(all, scrub.Log{Path: logs.PathOf(r.Log), Name: r.Name, Log: r.Log, Foreign: r.Ceiling.Rank() > 0})
	}
	project := ""
	if here := m.here.Place(); here.Repo != nil {
		project = filepath.Join(here.Repo.Top, ".ken")
	}
	return &scrub.Eraser{
		Engine: e, Logs: all, Sessions: m.conversations.Dir(), Queue: m.logs.Queue(), Paths: m.settings.paths, Project: project,
		Mask: m.keys.MaskText,
		Seal: m.keys.Seal,
	}, nil
}
