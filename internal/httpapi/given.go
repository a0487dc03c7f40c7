package httpapi

import (
	"context"
	"time"

	"ken/internal/app"
	"ken/internal/view"
	"ken/internal/view/port"
)

const (
	noteEvery = time.Second // what was given is noted
	mostNoted = 1000        // memories wait to be noted of one client, by one way
)

// A way is by what a client was given memories.
type way struct{ client, by string }

// gifts are what clients were given and is not noted yet.
type gifts struct {
	waiting map[way][]string // the references, each once
	timer   *time.Timer      // until they are noted; nil: nothing waits
}

// gave takes note of the memories in an answer for a client, by reference. They are noted together, within a second: many
// ask at once, and each note is a line of a file.
func (s *Server) gave(who Client, answer any) {
	by, refs := refsIn(answer)
	s.gaveRefs(who, by, refs)
}

// gaveRefs is gave of memories that a client was given by a way.
func (s *Server) gaveRefs(who Client, by string, refs []string) {
	if len(refs) == 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	of := way{who.Name, by}
	if s.gifts.waiting == nil {
		s.gifts.waiting = map[way][]string{}
	}
	s.gifts.waiting[of] = added(s.gifts.waiting[of], refs)
	switch {
	case s.gifts.timer == nil:
		s.gifts.timer = time.AfterFunc(noteEvery, s.note)
	case len(s.gifts.waiting[of]) >= mostNoted:
		s.gifts.timer.Reset(0)
	}
}

// added is a list with what it has not yet.
func added(list, more []string) []string {
	has := make(map[string]bool, len(list))
	for _, ref := range list {
		has[ref] = true
	}
	for _, ref := range more {
		if !has[ref] {
			has[ref] = true
			list = append(list, ref)
		}
	}
	return list
}

// note notes what waits, and returns when all that was given before is noted.
func (s *Server) note() {
	s.noting.Lock()
	defer s.noting.Unlock()
	s.mu.Lock()
	all := s.gifts.waiting
	if s.gifts.timer != nil {
		s.gifts.timer.Stop()
	}
	s.gifts = gifts{}
	s.mu.Unlock()
	for of, refs := range all {
		s.view(Client{Name: of.client}, "http").Gave(context.Background(), app.Gift{
			Refs: refs, By: of.by, Found: of.by == "recall" || of.by == byChat,
		})
	}
}

// refsIn are the memories in an answer, and by what way they were given.
func refsIn(answer any) (by string, refs []string) {
	add := func(ref string) {
		if ref != "" {
			refs = append(refs, ref)
		}
	}
	switch a := answer.(type) {
	case port.Found:
		by = "recall"
		for _, h := range a.Hits {
			add(h.Ref)
		}
	case port.Page:
		by = "page"
		for _, it := range a.Items {
			add(it.Ref)
		}
	case view.ChangedMemory:
		by = "why"
		add(a.Item.Ref)
	case port.Recalled:
		by = "recall"
		for _, it := range a.Items {
			if it.Kind != "text" { // which is no memory
				add(it.Ref)
			}
		}
	case port.Grounds:
		by = "why"
		for _, it := range a.Memories {
			if it.Content != "" {
				add(it.Ref)
			}
		}
	case port.Export:
		by = "export"
		for _, it := range a.Items {
			add(it.Ref)
		}
	}
	return by, refs
}
