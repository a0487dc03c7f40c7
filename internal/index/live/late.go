package live

import (
	"fmt"
	"slices"
	"sync"

	"ken/internal/index"
	"ken/internal/index/segment"
)

// ErrLateHit says of a document that it repeats something that is forgotten, in a
// form in which the index did not find it: in a longer word, or escaped for a
// program. From the next Conversations on it is left out.
var ErrLateHit = fmt.Errorf("%w: it repeats what is forgotten", index.ErrChanged)

// lateHits are the documents of which that was seen when they were read, by segment.
type lateHits struct {
	mu   sync.Mutex
	docs map[*segment.Segment][]int32
}

// Note adds a document of a segment.
func (r *lateHits) Note(seg *segment.Segment, doc int32) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.docs == nil {
		r.docs = make(map[*segment.Segment][]int32)
	}
	if !slices.Contains(r.docs[seg], doc) {
		r.docs[seg] = append(r.docs[seg], doc)
	}
}

// Of returns those of a segment. What they repeat may have come back since.
func (r *lateHits) Of(seg *segment.Segment) []int32 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.docs[seg])
}
