package battery

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ken/internal/config"
	"ken/internal/engine"
	"ken/internal/foreign"
	"ken/internal/memory"
	"ken/internal/memory/filelog"
	"ken/internal/scrub"
	"ken/internal/session"
)

// Eraser is what erases from all files of the home.
func (h *Home) Eraser() (*scrub.Eraser, error) {
	home := func(name string) string {
		if name == "KEN_HOME" {
			return h.Dir
		}
		return ""
	}
	_, paths, err := config.Open(home, h.Dir, "")
	if err != nil {
		return nil, err
	}
	logs := []scrub.Log{{Path: h.Memory(), Log: filelog.Open(h.Memory(), filelog.Options{ReadOnly: true})}}
	for i, path := range h.peers() {
		logs = append(logs, scrub.Log{Path: path, Name: stem(path), Log: h.replicas()[i].Log})
	}
	return &scrub.Eraser{
		Engine: h.Engine(), Logs: logs, Sessions: h.Sessions(true), Queue: h.queue(), Paths: paths, FS: h.FS, Seal: sealed,
	}, nil
}

// What stands in every place before it is erased, and what stands beside it.
const (
	erasedText   = "the staging host is called " + toErase
	erasedEdit   = "the staging host was called " + toErase + ", until May"
	erasedTurn   = "Noted: " + erasedText + "."
	erasedImport = "Ada: " + erasedText
	besideTyped  = "git status of the besides"
	besidePeer   = "the phone likes kettles"
	besideTurn   = "what is the weather like?"
	eraseFromAll = "erase from all"
)

// eraseAll erases a text that stands in the log, a replica, conversations, an
// import, the queue, what was typed, the page, recent context, the cache, a rewrite
// that was cut off, and in lines that cannot be read.
func eraseAll() Driver {
	return Driver{Name: "EraseAll", Heavy: 11, Run: eraseAllOnce, Ready: furnish, Again: eraseAllAgain}
}

// furnish puts the text everywhere.
func furnish(ctx context.Context, h *Home, l *Ledger) error {
	e := h.Engine()
	w, err := h.Sessions(true).Create(session.Header{Channel: session.ChannelTerminal})
	if err != nil {
		return err
	}
	err = errors.Join(talk(w, l, true, besideTurn, erasedTurn), stated(ctx, h, l, e, erasedText))
	id, _, ferr := find(ctx, e, erasedText)
	edited := erasedEdit
	l.Set(Active, erasedText, Either)
	_, eerr := e.Edit(ctx, id, engine.Edit{Content: &edited, Source: &memory.Source{Session: w.ID(), Turn: 2}})
	l.Set(Active, erasedEdit, Stands)
	l.IDs[eraseFromAll] = id
	_, perr := proposed(ctx, l, e, erasedText+", it was suggested")
	l.Set(Said, erasedImport, Stands)
	_, _, ierr := foreign.Import(ctx, h.Sessions(true), []foreign.Turn{
		{Session: "standup", Name: []byte("1"), Time: time.Date(2026, 5, 10, 19, 0, 0, 0, time.UTC), Role: session.RoleUser, Speaker: "Ada", Text: erasedImport},
	})
	if err := errors.Join(err, ferr, eerr, perr, ierr); err != nil {
		return err
	}
	l.Set(Active, besidePeer, Stands)
	torn := `{"id":94,"kind":"fact","content":"` + erasedText + ", cut"
	for name, text := range map[string]string{
		"peers/phone-7f3a.jsonl": `{"meta":{"format":1,"log":"phone-7f3a"}}` + "\n" + `{"id":1,"kind":"fact","content":"` + besidePeer + "\"}\n" +
			`{"id":2,"kind":"fact","content":"` + erasedText + "\"}\n",
		"history":                  besideTyped + "\n:remember " + erasedText + "\n",
		"MEMORY.md":                "# Memory\n- " + erasedEdit + "\n",
		"working.md":               "# Working Memory\nUpdated: 2026-11-20T09:00:00Z\nExpires: 2026-12-20T09:00:00Z\n\nYou work on tea.\n" + erasedText + "\n",
		"cache/index/0123/segment": "opaque",
		"cache/fold":               erasedText,
		"sessions/.old.jsonl.new":  `{"content":"` + erasedText + `"}`,
	} {
		path := filepath.Join(h.Dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			return err
		}
	}
	var errs []error
	for _, path := range []string{h.Memory(), h.Review(), w.Path()} {
		errs = append(errs, appendRaw(path, torn+"\n"))
	}
	l.Set(Bytes, besideTyped, Stands)
	l.Set(Bytes, "You work on tea.", Stands)
	return errors.Join(errs...)
}

// erasable are the promises that erasing takes back.
func erasable(l *Ledger) []entry {
	var list []entry
	l.all(func(r Realm, text string, _ Want) {
		if r != Bytes && strings.Contains(text, toErase) {
			list = append(list, entry{r, text})
		}
	})
	return list
}

func eraseAllOnce(ctx context.Context, h *Home, l *Ledger) error {
	gone := erasable(l)
	for _, e := range gone {
		l.Set(e.realm, e.text, Either)
	}
	run := eraseEverywhere
	if h.Bug.EraseAll != nil {
		run = h.Bug.EraseAll
	}
	err := run(ctx, h, l.IDs[eraseFromAll])
	if err == nil {
		for _, e := range gone {
			l.Set(e.realm, e.text, Gone)
		}
		l.Set(Bytes, toErase, Gone)
	}
	return errors.Join(err, stated(ctx, h, l, h.Engine(), "behind what was erased from all"))
}

// eraseEverywhere does what the command does: plan, run, and look afterwards.
func eraseEverywhere(ctx context.Context, h *Home, id memory.ID) error {
	e, err := h.Eraser()
	if err != nil {
		return err
	}
	p, err := e.Plan(ctx, scrub.Want{IDs: []memory.ID{id}})
	if err != nil {
		return err
	}
	if err := e.Run(ctx, p); err != nil {
		return err
	}
	proof, err := e.Verify(ctx, p)
	if err == nil && !proof.Clean() {
		err = fmt.Errorf("the proof finds %+v", proof.Left)
	}
	return err
}

// eraseAllAgain erases once more: whatever was done before, nothing is left then,
// and what stood beside it is there.
func eraseAllAgain(ctx context.Context, h *Home, l *Ledger) error {
	if err := eraseEverywhere(ctx, h, l.IDs[eraseFromAll]); err != nil {
		return err
	}
	s, err := h.Engine().State(ctx)
	if err != nil {
		return fmt.Errorf("it is erased, and yet: %w", err)
	}
	return errors.Join(absent(h.Dir, toErase), present(h.Dir, besideTyped), beside(ctx, h, s))
}

// beside checks that what was not erased is as it was.
func beside(_ context.Context, h *Home, s *memory.State) error {
	if !slices.Contains(contents(s.Items()), besidePeer) {
		return fmt.Errorf("%w: what the replica says beside it", ErrLost)
	}
	return present(h.Dir, besideTurn)
}

// present checks that some file below dir has the text.
func present(dir, text string) error {
	if absent(dir, text) == nil {
		return fmt.Errorf("%w: %q is in no file", ErrLost, text)
	}
	return nil
}
