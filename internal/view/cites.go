package view

import (
	"strings"

	"ken/internal/memory"
	"ken/internal/termsafe"
)

// GoneCites returns the memories that an item rests on and that are forgotten or
// erased, with how each stands.
func GoneCites(s *memory.State, it memory.Item) (ids []memory.ID, status []memory.Status) {
	for _, id := range it.Record.Details().Cites {
		id = id.In(it.Log).From(s.OwnLog())
		if st := s.Status(id); st == memory.StatusForgotten || st == memory.StatusErased {
			ids, status = append(ids, id), append(status, st)
		}
	}
	return ids, status
}

// CitesText returns what of that is gone: "#2 forgotten, #5 erased"; "" if nothing is.
func CitesText(s *memory.State, it memory.Item) string {
	ids, status := GoneCites(s, it)
	parts := make([]string, len(ids))
	for i, id := range ids {
		parts[i] = "#" + id.String() + " " + status[i].String()
	}
	return termsafe.Line(strings.Join(parts, ", "))
}

// CitesFlag says so before a text in a table.
func CitesFlag(s *memory.State) func(memory.Item) string {
	return func(it memory.Item) string {
		if text := CitesText(s, it); text != "" {
			return "[rests on " + text + "] "
		}
		return ""
	}
}
