package shelf

import (
	"fmt"
	"slices"
	"sync"

	"ken/internal/index"
	"ken/internal/index/segment"
)

// ErrForgotten says of a document that it repeats something that is forgotten, in a
// form in which the index did not find it: in a longer word, or escaped for a
// program. From the next Conversations on it is left out.
var ErrForgotten = fmt.Errorf("%w: it repeats what is forgotten", index.ErrChanged)

// repeats are the documents of which that was seen when they were read, by segment.
type repeats struct {
	mu   sync.Mutex
	docs map[*segment.Segment][]int32
}

func (r *repeats) note(seg *segment.Segment, doc int32) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.docs == nil {
		r.docs = make(map[*segment.Segment][]int32)
	}
	if !slices.Contains(r.docs[seg], doc) {
		r.docs[seg] = append(r.docs[seg], doc)
	}
}

// of are those of a segment. What they repeat may have come back since.
func (r *repeats) of(seg *segment.Segment) []int32 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.docs[seg])
}
