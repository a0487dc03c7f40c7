package logtest_test

import (
	"errors"
	"testing"

	"ken/internal/memory"
	"ken/internal/memory/logtest"
)

func TestMemory(t *testing.T) {
	t.Parallel()
	logtest.RunHooks(t, logtest.Hooks{
		Open: func(*testing.T) memory.Log { return logtest.NewMemory("test-0001") },
		Insert: func(t *testing.T, l memory.Log, line string) {
			m, ok := l.(*logtest.Memory)
			if !ok {
				t.Fatalf("a %T", l)
			}
			m.Insert(line)
		},
	})
}

func TestMemoryEdit(t *testing.T) {
	t.Parallel()
	m := logtest.NewMemory("test-0001")
	m.Insert(`{"id":1,"content":"one"}`)
	m.Insert(`{"id":2,"content":"two"}`)
	tip, err := m.Tip(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	m.Edit(func(lines []string) []string { return lines[1:] })
	for _, err := range m.Records(t.Context(), tip.At) {
		if !errors.Is(err, memory.ErrStale) {
			t.Errorf("after an edit: %v", err)
		}
	}
}

func TestMemoryBreak(t *testing.T) {
	t.Parallel()
	m := logtest.NewMemory("test-0001")
	no := errors.New("no")
	m.Break(no)
	if _, err := m.Tip(t.Context()); !errors.Is(err, no) {
		t.Errorf("Tip: %v", err)
	}
	for _, err := range m.Records(t.Context(), "") {
		if !errors.Is(err, no) {
			t.Errorf("Records: %v", err)
		}
	}
	m.Break(nil)
	if _, err := m.Tip(t.Context()); err != nil {
		t.Errorf("Tip after mending: %v", err)
	}
}
