package memory

// A space holds the names of one log's lines.
type space struct {
	log    string
	folded bool  // the log is among those folded; others are only named by lines
	most   int64 // the largest number named as id or target

	// The index of a name in State.names, plus 1: of small numbers in a slice,
	// since a fold of many lines spends most of its time here.
	small  []int32
	large  map[int64]int32
	hashes map[string]int32
}

// A name is what one id of one log stands for.
type name struct {
	item    int32 // index in State.nodes, -1 if it states nothing that is left
	last    spot  // of the last line with that id
	stating spot  // of the last line that states it

	written   bool // some line has that id; else lines only name it as target
	erased    bool
	undone    bool
	forgotten bool
}

// space returns the index of the space of that log's names.
func (s *State) space(log string) int32 {
	i, ok := s.spaceOf[log]
	if !ok {
		i = int32(len(s.spaces))
		s.spaces = append(s.spaces, space{log: log})
		s.spaceOf[log] = i
	}
	return i
}

// named counts a number that a line names.
func (s *State) named(sp int32, n int64) {
	s.spaces[sp].most = max(s.spaces[sp].most, n)
}

// internTarget names what a changing line of log src has as target, whether or
// not some line has that id: a tombstone may come first.
func (s *State) internTarget(src int32, id ID) {
	if id.IsZero() || s.foreign(src, id) && s.logs[src].limited() {
		return
	}
	sp := s.srcSpace[src]
	if s.foreign(src, id) {
		sp = s.space(id.Log)
	}
	s.intern(sp, id)
}

// foreign reports whether id, as written in log src, is of another log.
func (s *State) foreign(src int32, id ID) bool {
	return id.Log != "" && id.Log != s.spaces[s.srcSpace[src]].log
}

// resolve returns the index of the name that id, as written in log src, stands
// for; -1 if there is none, or none that a line of that log may touch.
func (s *State) resolve(src int32, id ID) int32 {
	sp := s.srcSpace[src]
	if s.foreign(src, id) {
		var ok bool
		if sp, ok = s.spaceOf[id.Log]; !ok || s.logs[src].limited() {
			return -1
		}
	}
	return s.find(sp, id)
}

// lineName returns the index of the name of the line at that spot.
func (s *State) lineName(at spot) int32 { return s.lines[at.src][at.pos] }

// intern returns the index of a name, and makes it if it is new.
func (s *State) intern(sp int32, id ID) int32 {
	if i := s.find(sp, id); i >= 0 {
		return i
	}
	i := int32(len(s.names))
	s.names = append(s.names, name{item: -1})
	p := &s.spaces[sp]
	switch {
	case id.N == 0:
		if p.hashes == nil {
			p.hashes = make(map[string]int32)
		}
		p.hashes[id.Hash] = i + 1
	case id.N < s.dense:
		for int64(len(p.small)) <= id.N {
			p.small = append(p.small, make([]int32, max(64, id.N+1-int64(len(p.small))))...)
		}
		p.small[id.N] = i + 1
	default:
		if p.large == nil {
			p.large = make(map[int64]int32)
		}
		p.large[id.N] = i + 1
	}
	s.named(sp, id.N)
	return i
}

// find returns the index of a name, -1 if there is none.
func (s *State) find(sp int32, id ID) int32 {
	p := &s.spaces[sp]
	switch {
	case id.N == 0:
		return p.hashes[id.Hash] - 1
	case id.N > 0 && id.N < int64(len(p.small)):
		return p.small[id.N] - 1
	}
	return p.large[id.N] - 1
}
