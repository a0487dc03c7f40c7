package scripttest

import (
	"sync"

	"github.com/rogpeppe/go-internal/testscript"

	"ken/internal/llm/llmtest"
)

// modelSet holds the model of each script that runs.
type modelSet struct {
	mu  sync.Mutex
	set map[*testscript.TestScript]*llmtest.Server
}

var models modelSet

func (m *modelSet) put(ts *testscript.TestScript, s *llmtest.Server) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.set == nil {
		m.set = make(map[*testscript.TestScript]*llmtest.Server)
	}
	m.set[ts] = s
}

func (m *modelSet) get(ts *testscript.TestScript) *llmtest.Server {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.set[ts]
	if s == nil {
		ts.Fatalf("no model: start one with `model FILE`")
	}
	return s
}

// scriptLists sets the names that the model of a script lists.
func scriptLists(ts *testscript.TestScript, neg bool, args []string) {
	if neg {
		ts.Fatalf("usage: lists [NAME...]")
	}
	models.get(ts).Models(args...)
}

// scriptDescribes sets what its list says of each: the inside of a JSON object.
func scriptDescribes(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: describes FIELDS")
	}
	models.get(ts).Describe(args[0])
}
