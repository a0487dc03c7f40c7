package memory

// An idIndex finds the number, from 0, that an ID with its log stands for. The
// lines of a log are mostly numbered from 1 with few gaps: those stand in a
// list, which takes a tenth of the memory of a map.
type idIndex struct {
	logs map[string][]int32 // by log and line: the number plus 1, or 0
	rest map[ID]int32       // of the IDs that have no place in logs
}

// newIDIndex returns an empty idIndex.
func newIDIndex() idIndex {
	return idIndex{logs: make(map[string][]int32), rest: make(map[ID]int32)}
}

// Expect makes room for a log of so many lines. It comes before all Adds.
func (x *idIndex) Expect(log string, lines int) {
	x.logs[log] = make([]int32, max(len(x.logs[log]), lines+lines/4+16))
}

// Find returns the number that was added for id.
func (x *idIndex) Find(id ID) (n int32, ok bool) {
	if at := x.place(id); at != nil {
		return *at - 1, *at > 0
	}
	n, ok = x.rest[id]
	return n, ok
}

// Add makes Find return n for id.
func (x *idIndex) Add(id ID, n int32) {
	if at := x.place(id); at != nil {
		*at = n + 1
		return
	}
	x.rest[id] = n
}

// place returns the place of id in its log's list; nil if it has none.
func (x *idIndex) place(id ID) *int32 {
	if list := x.logs[id.Log]; id.N > 0 && id.N < int64(len(list)) && id.Hash == 0 {
		return &list[id.N]
	}
	return nil
}
