package foreign

import (
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
)

// A madeExport makes an export up as it is read: n conversations of twenty turns.
type madeExport struct {
	n, at int
	rest  string
}

func (m *madeExport) Read(p []byte) (int, error) {
	if m.rest == "" {
		switch {
		case m.at > m.n:
			return 0, io.EOF
		case m.at == m.n:
			m.rest = "]"
		default:
			m.rest = m.conversation()
		}
		m.at++
	}
	n := copy(p, m.rest)
	m.rest = m.rest[n:]
	return n, nil
}

func (m *madeExport) conversation() string {
	var b strings.Builder
	b.WriteString(map[bool]string{true: "[", false: ",\n"}[m.at == 0])
	fmt.Fprintf(&b, `{"title":"t","conversation_id":"c-%d","current_node":"n19","mapping":{"n-1":{"message":null,"children":["n0"]}`, m.at)
	for n := range 20 {
		fmt.Fprintf(&b, `,"n%d":{"parent":"n%d","message":{"id":"m%d","author":{"role":"user"},"content":{"content_type":"text","parts":["%s"]}}}`, n, n-1, n, strings.Repeat("the kettle boils in the harbour, ", 50))
	}
	b.WriteString("}}")
	return b.String()
}

// An export of any length needs no memory of its length: of thirty million bytes no
// more is held at any time than a few conversations. (Not parallel: it looks at the heap.)
//
//ken:unraced
func TestReadLong(t *testing.T) {
	held := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	const conversations = 1000
	before, most := held(), uint64(0)
	turns, n := 0, 0
	for e, err := range Read(&madeExport{n: conversations}, ChatGPT, Options{}) {
		if err != nil {
			t.Fatal(err)
		}
		turns += len(e.Turns)
		if n++; n%100 == 0 {
			most = max(most, held())
		}
	}
	if turns != 20*conversations {
		t.Errorf("%d turns, want %d", turns, 20*conversations)
	}
	if most > before+4<<20 {
		t.Errorf("%d KiB are held more than before", (most-before)>>10)
	}
}
