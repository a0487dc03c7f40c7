package loop

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"ken/internal/app"
	"ken/internal/config"
	"ken/internal/engine"
	"ken/internal/memory"
	"ken/internal/risk"
	"ken/internal/session/outputs"
	"ken/internal/tool"
	"ken/internal/tool/edit"
	"ken/internal/tool/files"
	"ken/internal/undo"
)

// fileTools are the files of a person as a model works with them: read, searched, and changed. A change is planned and shown before
// it is made, and can be taken back: what the file held is kept, and the session has the change, before a byte is written.
type fileTools struct {
	home    *app.View
	editor  Editor // nil: there is none
	model   string
	journal Journal // nil: nothing is recorded
	part    string
	turn    files.Turn
	outputs Outputs // nil: none are kept
	tidied  bool    // what is kept for undo, in this question
}

// begin begins a question, which the preset called model is asked.
func (h *fileTools) begin(q Asked) {
	h.model, h.journal, h.turn, h.outputs, h.tidied = q.Model, q.Journal, files.Turn{}, q.Outputs, false
}

// place is where a model works with files now.
func (h *fileTools) place(ctx context.Context) files.Place {
	at := h.home.Here.Place()
	project := at.Abs
	if at.Repo != nil && !at.Repo.Claimed {
		project = at.Repo.Top
	}
	return files.Place{
		Dir: at.Abs, Project: project, Home: h.home.Settings.UserDir(), Own: files.OwnOf(h.home.Settings.Paths()),
		Most: mostKept, Held: h.held(ctx),
	}
}

// mostKept is how much of a result is kept before it is cut to the room that there is, in bytes.
const mostKept = 64 << 10

// tools are read_file, edit_file, write_file and search_files.
func (h *fileTools) tools() []tool.Tool {
	path := tool.Param{Name: "path", Type: tool.String, Description: "the file, from the current directory or absolute", Required: true}
	return []tool.Tool{
		{Plan: h.planRead, Spec: tool.Spec{
			Name:        "read_file",
			Description: "Read a text file, or list what is in a directory. A long file comes in parts: go on with offset.",
			Params: []tool.Param{
				{Name: "path", Type: tool.String, Description: "file or directory, from the current directory or absolute, or out:N", Required: true},
				{Name: "offset", Type: tool.Integer, Description: "the first line to read, from 1"},
				{Name: "limit", Type: tool.Integer, Description: "the most lines to read; 400 if left out"},
			},
		}},
		{Plan: h.planEdit, Spec: tool.Spec{
			Name:        "edit_file",
			Description: "Replace a piece of text in a file. Quote in old what read_file gave, 2 to 10 lines that stand there only once.",
			Params: []tool.Param{
				path,
				{Name: "old", Type: tool.String, Description: "the text that stands there now", Required: true},
				{Name: "new", Type: tool.String, Description: "what is to stand there; empty takes it out", Required: true},
				{Name: "all", Type: tool.Boolean, Description: "replace it wherever it stands"},
			},
		}},
		{Plan: h.planWrite, Spec: tool.Spec{
			Name:        "write_file",
			Description: "Make a file, or replace all that is in one. To change a part of it use edit_file.",
			Params: []tool.Param{
				path,
				{Name: "content", Type: tool.String, Description: "all that is to be in it", Required: true},
			},
		}},
		{Plan: h.planSearch, Spec: tool.Spec{
			Name:        "search_files",
			Description: "Find lines by a regular expression, or files by a glob, in a directory and below it. What git ignores is left out.",
			Params: []tool.Param{
				{Name: "pattern", Type: tool.String, Description: "regular expression for lines"},
				{Name: "glob", Type: tool.String, Description: "names of files, such as **/*.go"},
				{Name: "path", Type: tool.String, Description: "where to look; the current directory if left out"},
			},
		}},
	}
}

// reasons are those of a judgement of a path, and its level.
func reasons(a risk.Assessment) (risk.Level, []string) {
	var why []string
	for _, r := range a.Reasons {
		why = append(why, r.Why)
	}
	return a.Level, why
}

// origin is how far a text from there is trusted.
func origin(at files.Target) memory.Origin {
	if at.Risk.Level > risk.Safe {
		return memory.OriginExternal
	}
	return memory.OriginTool
}

// refusedFile is what came of a call that files refuse: the model is told what it can do.
func refusedFile(text string, err error) (tool.Result, error) {
	if refused := files.Refused(""); errors.As(err, &refused) {
		return tool.Result{State: tool.Failed, Text: err.Error(), From: memory.OriginTool}, nil
	}
	return tool.Result{State: tool.Done, Text: text}, err
}

// refusedPath is the act of a path that leads nowhere, or where nothing is done: it does nothing, and says so.
func refusedPath(path string, err error) (tool.Act, error) {
	if refused := files.Refused(""); !errors.As(err, &refused) {
		return tool.Act{}, err
	}
	return tool.Act{Title: path, Do: func(context.Context, io.Writer) (tool.Result, error) { return refusedFile("", err) }}, nil
}

func (h *fileTools) planRead(ctx context.Context, a tool.Args) (tool.Act, error) {
	if name, ok := strings.CutPrefix(a.Text("path"), tool.KeptPrefix); ok && outputs.TurnOf(name) > 0 {
		return h.planKept(name, a)
	}
	p := h.place(ctx)
	at, err := p.Find(a.Text("path"), false)
	if err != nil {
		return refusedPath(a.Text("path"), err)
	}
	act := tool.Act{Title: "read " + at.Name, Path: at.Path}
	act.Level, act.Why = reasons(at.Risk)
	act.Do = func(ctx context.Context, _ io.Writer) (tool.Result, error) {
		text, err := p.Read(ctx, &h.turn, at, a.Int("offset"), a.Int("limit"))
		r, err := refusedFile(text, err)
		r.From = origin(at)
		if !at.Dir {
			r.First = max(a.Int("offset"), 1)
		}
		return r, err
	}
	return act, nil
}

// planKept reads an output of the conversation: the model had its beginning and its end before.
func (h *fileTools) planKept(name string, a tool.Args) (tool.Act, error) {
	act := tool.Act{Title: "read " + tool.KeptPrefix + name, Level: risk.Safe}
	act.Do = func(ctx context.Context, _ io.Writer) (tool.Result, error) {
		text, from, err := "", memory.OriginTool, fs.ErrNotExist
		if h.outputs != nil {
			text, from, err = h.outputs.Get(ctx, name)
		}
		if errors.Is(err, fs.ErrNotExist) {
			return tool.Result{State: tool.Failed, Text: "nothing is kept as " + tool.KeptPrefix + name + " in this conversation"}, nil
		}
		if err == nil {
			text, err = h.place(ctx).Page(ctx, text, a.Int("offset"), a.Int("limit"))
		}
		return tool.Result{State: tool.Done, Text: text, From: from, First: max(a.Int("offset"), 1)}, err
	}
	return act, nil
}

func (h *fileTools) planSearch(ctx context.Context, a tool.Args) (tool.Act, error) {
	want := files.Search{Pattern: a.Text("pattern"), Glob: a.Text("glob")}
	if want == (files.Search{}) {
		return tool.Act{}, &tool.CallError{Text: "search_files needs pattern or glob"}
	}
	path := a.Text("path")
	if path == "" {
		path = "."
	}
	p := h.place(ctx)
	at, err := p.Find(path, false)
	if err != nil {
		return refusedPath(path, err)
	}
	act := tool.Act{Title: strings.Join(strings.Fields("search "+at.Name+" for "+want.Pattern+" "+want.Glob), " ")}
	act.Level, act.Why = reasons(at.Risk)
	act.Do = func(ctx context.Context, _ io.Writer) (tool.Result, error) {
		text, err := p.Search(ctx, at, want)
		r, err := refusedFile(text, err)
		r.From = origin(at)
		return r, err
	}
	return act, nil
}

func (h *fileTools) planEdit(ctx context.Context, a tool.Args) (tool.Act, error) {
	p := h.place(ctx)
	at, err := p.Find(a.Text("path"), true)
	if err != nil {
		return refusedPath(a.Text("path"), err)
	}
	c, err := p.Edit(&h.turn, at, edit.Want{Old: a.Text("old"), New: a.Text("new"), All: a.Bool("all")})
	return h.change("edit_file", "edit", at, c, err)
}

func (h *fileTools) planWrite(ctx context.Context, a tool.Args) (tool.Act, error) {
	p := h.place(ctx)
	at, err := p.Find(a.Text("path"), true)
	if err != nil {
		return refusedPath(a.Text("path"), err)
	}
	c, err := p.Write(&h.turn, at, a.Text("content"))
	verb := "replace"
	if c.Created {
		verb = "make"
	}
	return h.change("write_file", verb, at, c, err)
}

// change is the act that makes a planned change. A change that was refused is one that does nothing.
func (h *fileTools) change(name, verb string, at files.Target, c files.Change, err error) (tool.Act, error) {
	act := tool.Act{Title: verb + " " + at.Name, Path: at.Path}
	if refused := files.Refused(""); errors.As(err, &refused) {
		act.Do = func(context.Context, io.Writer) (tool.Result, error) { return refusedFile("", err) }
		return act, nil
	}
	if err != nil {
		return act, err
	}
	act.Title, act.Shown = fmt.Sprintf("%s %s, +%d -%d", verb, at.Name, c.Added, c.Removed), edit.Brief(c.Diff)
	act.Edit = &tool.Edit{Before: string(c.Before), After: string(c.After), Made: c.Created}
	act.Level, act.Why = reasons(at.Risk)
	act.Level = max(act.Level, risk.Caution)
	if len(act.Why) == 0 {
		act.Why = []string{"it changes a file"}
	}
	switch {
	case act.Level != risk.Caution:
	case at.Starts || bytes.HasPrefix(c.After, []byte("#!")):
		act.Why = append(act.Why, "other programs may run or obey it")
	default:
		act.Lasting = "edits in this project"
	}
	act.Do = func(ctx context.Context, _ io.Writer) (tool.Result, error) { return h.apply(ctx, name, c) }
	return act, nil
}

// apply makes a change that can be taken back: what the file held is kept, and the session has the change, before it
// is made.
func (h *fileTools) apply(ctx context.Context, name string, c files.Change) (tool.Result, error) {
	if h.home.Settings.ReadOnly() {
		return tool.Result{}, fmt.Errorf("nothing was changed, since it could not be taken back: %w", engine.OnlyRead())
	}
	room := undo.Room{Path: config.UndoIn(h.home.Settings.Paths()), Lock: h.home.Settings.Paths().State, Now: h.home.Now}
	act := undo.Act{
		ID: undo.NewID(), Time: h.home.Now(), Tool: name, Path: c.Path, Before: c.BeforeSum, After: c.AfterSum,
		Who: h.model, Run: h.part,
	}
	kept := [][]byte{c.After}
	if !c.Created {
		kept = append(kept, c.Before)
	}
	for _, b := range kept {
		if _, err := room.Keep(ctx, b); err != nil {
			return tool.Result{}, fmt.Errorf("nothing was changed, since it could not be taken back: %w", err)
		}
	}
	if h.journal != nil {
		if err := h.journal.Commit(act.Event()); err != nil {
			return tool.Result{}, fmt.Errorf("nothing was changed, since the session cannot know of it: %w", err)
		}
	}
	is, err := h.put(ctx, room, c)
	if err != nil {
		if h.journal != nil {
			if verr := h.journal.Commit(act.Void()); verr != nil {
				err = fmt.Errorf("%w; the session has a change that was not made: %w", err, verr)
			}
		}
		return refusedFile("", err)
	}
	if !h.tidied { // what this question needs is newer than all the rest, and stays until the next one
		h.tidied = true
		if err := room.Tidy(ctx); err != nil {
			h.home.Warn(err)
		}
	}
	h.turn.Wrote(c)
	return h.made(ctx, room, act, c, is)
}
