package battery

import (
	"context"
	"slices"
	"testing"

	"ken/internal/jsonl/jsonltest"
)

// TestSeededBugs makes mistakes on purpose. A battery that lets one of them pass
// proves nothing about ken.
//
//ken:unraced
func TestSeededBugs(t *testing.T) {
	t.Parallel()
	byName := func(name string) Driver {
		all := Drivers()
		return all[slices.IndexFunc(all, func(d Driver) bool { return d.Name == name })]
	}
	swept := func(driver string, faults []jsonltest.Fault, states int) func(context.Context, Bug, func() string) (Report, error) {
		return func(ctx context.Context, b Bug, temp func() string) (Report, error) {
			return Sweep{Driver: byName(driver), Bug: b, Faults: faults, States: states, Seed: 1, First: true, Temp: temp}.Do(ctx)
		}
	}
	dead, errs := Crashes()[:1], Failures()
	hand := func(ctx context.Context, b Bug, temp func() string) (Report, error) {
		return Hand{Ops: 150, Seed: 2, Bug: b, Temp: temp}.Do(ctx)
	}
	once := func(ctx context.Context, b Bug, temp func() string) (Report, error) {
		return AtOnce{Writers: 4, Each: 8, Bug: b, Temp: temp}.Do(ctx)
	}
	cut := func(_ context.Context, b Bug, temp func() string) (Report, error) {
		return Damage{File: Files()[0], Bug: b, Step: 97, Size: 10, Temp: temp}.Cut()
	}
	by := map[string]func(context.Context, Bug, func() string) (Report, error){
		"no sync of files":                              swept("Forget", dead, 2),
		"no sync of names":                              swept("Remember", dead, 2),
		"rename without a sync before":                  swept("Erase", dead, 8),
		"a failed sync tried again":                     swept("Forget", errs[3:4], 3),
		"no guard before a torn tail":                   swept("Resume", dead, 0),
		"a failed write not taken back":                 swept("Forget", errs[4:5], 0),
		"files that others can read":                    swept("Import", dead, 0),
		"acknowledged before it is written":             swept("Remember", dead, 0),
		"read, changed and written back":                swept("Remember", dead, 0),
		"no lock":                                       once,
		"numbers counted, not the largest and one more": hand,
		"a view that knows no tombstones":               swept("Forget", dead, 0),
		"an erasing that leaves the edit":               swept("Erase", dead, 0),
		"the queue told before the memory":              swept("Review", dead, 0),
		"damage not told":                               cut,
		"a session written from what was read once":     hand,
		"an erasing that passes over conversations":     swept("EraseAll", dead, 0),
		"an erasing that takes the log first":           swept("EraseAll", dead, 0),
		"an erasing whose removals are not synced":      swept("EraseAll", dead, 2),
		"a rewrite of what was read before the lock": func(ctx context.Context, b Bug, temp func() string) (Report, error) {
			return AtOnce{Writers: 4, Each: 100, Bug: b, Temp: temp}.Do(ctx)
		},
	}
	caught := 0
	for _, b := range Bugs() {
		r, err := by[b.Name](t.Context(), b, temp(t))
		if err == nil && r.Survived == r.Cases {
			t.Errorf("%s: not found in %d cases", b.Name, r.Cases)
			continue
		}
		caught++
		if err == nil {
			err = r.Wrong[0]
		}
		t.Logf("%s: found: %.160s", b.Name, err)
	}
	t.Logf("%d of %d found", caught, len(Bugs()))
}
