package ageing

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"ken/internal/memory"
	"ken/internal/memory/asof"
	"ken/internal/view"
)

// Stats are a memory in numbers.
type Stats struct {
	Total      int            `json:"total"` // stated, and not replaced or taken back; of all logs
	Hot        int            `json:"hot"`
	Archive    int            `json:"archive"`
	Pinned     int            `json:"pinned"`
	NotNow     int            `json:"not_now"` // of Total: expired, ended or not valid yet
	Waiting    int            `json:"waiting"` // for a yes: proposals and lines
	Superseded int            `json:"superseded"`
	Forgotten  int            `json:"forgotten"`
	NeverUsed  int            `json:"never_used"` // of Total: no question called it up
	Used30     int            `json:"used_30_days"`
	Policy     string         `json:"policy"` // in force; "": the settings alone count
	Kinds      map[string]int `json:"kinds"`  // never null, as the next two
	Phases     map[string]int `json:"phases"`
	Scopes     map[string]int `json:"scopes"`
}

// StatsOf counts a memory. last is when a memory was last called up, zero: never.
func StatsOf(s *memory.State, now time.Time, last func(ref string) time.Time) Stats {
	x := Stats{Kinds: map[string]int{}, Phases: map[string]int{}, Scopes: map[string]int{}}
	for it := range asof.Each(s, now) {
		if it.Status == memory.StatusSuperseded.String() {
			x.Superseded++
			continue
		}
		x.Total++
		if it.Tier == memory.TierArchive {
			x.Archive++
		} else {
			x.Hot++
		}
		if it.Pinned {
			x.Pinned++
		}
		if it.Status != memory.StatusActive.String() {
			x.NotNow++
		}
		switch at := last(it.Ref()); {
		case at.IsZero():
			x.NeverUsed++
		case now.Sub(at) <= 30*24*time.Hour:
			x.Used30++
		}
		x.Kinds[string(it.Record.Kind)]++
		x.Phases[string(it.Phase)]++
		x.Scopes[string(view.ScopeOf(it.Item))]++
	}
	for range s.Each(memory.StatusForgotten) {
		x.Forgotten++
	}
	return x
}

// Text are they for a person; clean masks a name and makes one line of it. It does not
// end with a line end.
func (x Stats) Text(clean func(string) string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d hot, %d archived, %d pinned\n", view.Memories(x.Total), x.Hot, x.Archive, x.Pinned)
	fmt.Fprintf(&b, "beside them %d replaced, %d forgotten, %d waiting\n", x.Superseded, x.Forgotten, x.Waiting)
	fmt.Fprintf(&b, "called up by a question: %d within 30 days, %d never\n", x.Used30, x.NeverUsed)
	if x.NotNow > 0 {
		fmt.Fprintf(&b, "not holding now: %d\n", x.NotNow)
	}
	if x.Policy != "" {
		fmt.Fprintf(&b, "policy: %s\n", x.Policy)
	}
	for _, part := range [...]struct {
		name string
		n    map[string]int
	}{{"kinds", x.Kinds}, {"phases", x.Phases}, {"scopes", x.Scopes}} {
		if len(part.n) == 0 {
			continue
		}
		names := slices.SortedFunc(maps.Keys(part.n), func(p, q string) int {
			return cmp.Or(part.n[q]-part.n[p], strings.Compare(p, q))
		})
		fmt.Fprintf(&b, "%s:", part.name)
		for _, name := range names {
			fmt.Fprintf(&b, " %s %d", clean(name), part.n[name])
		}
		b.WriteByte('\n')
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// A Page is what became of MEMORY.md.
type Page struct {
	Path    string `json:"path"`
	Items   int    `json:"items"` // memories on it
	Hot     int    `json:"hot"`
	Archive int    `json:"archive"`
	Changed bool   `json:"changed"` // it was not the same before
}

// Embedded is what was done to have a vector of each memory, or would be.
type Embedded struct {
	Made  int `json:"made"`  // vectors
	Texts int `json:"texts"` // that had none
	Bytes int `json:"bytes"` // of those
	Items int `json:"items"` // memories that are to have one
}
