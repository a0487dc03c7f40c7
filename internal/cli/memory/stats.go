package memory

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/memory"
	"ken/internal/memory/asof"
	"ken/internal/upkeep"
	"ken/internal/view"
)

// A stats is the memory in numbers.
type stats struct {
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
	Policy     string         `json:"policy"`
	Kinds      map[string]int `json:"kinds"`
	Phases     map[string]int `json:"phases"`
	Scopes     map[string]int `json:"scopes"`
}

func statsCommand(a *term.Run) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:         "stats",
		Short:       "the memory in numbers",
		Args:        cobra.NoArgs,
		Annotations: term.Writes{Nothing: true}.Note(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, err := a.Home.Settings.Read()
			if err != nil {
				return err
			}
			s, err := a.Home.Memory.State(cmd.Context())
			if err != nil {
				return err
			}
			a.Home.Memory.TellProblems(s)
			x := count(a, s)
			x.Policy = cfg.Memory.Policy
			e, err := a.Home.Memory.Engine()
			if err != nil {
				return err
			}
			pending, _, _, err := e.Queue(cmd.Context())
			if err != nil {
				return err
			}
			x.Waiting = len(pending)
			if asJSON {
				return a.PrintJSON(x)
			}
			return a.Println(x.text(a))
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as a JSON object")
	return cmd
}

func count(a *term.Run, s *memory.State) stats {
	x := stats{Kinds: map[string]int{}, Phases: map[string]int{}, Scopes: map[string]int{}}
	last, _ := a.Home.Uses.Counts()
	now := a.Env.Now()
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

func (x stats) text(a *term.Run) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d hot, %d archived, %d pinned\n", upkeep.Memories(x.Total), x.Hot, x.Archive, x.Pinned)
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
			fmt.Fprintf(&b, " %s %d", clean(a, name), part.n[name])
		}
		b.WriteByte('\n')
	}
	return strings.TrimSuffix(b.String(), "\n")
}
