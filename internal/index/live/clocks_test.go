package live_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ken/internal/engine"
	"ken/internal/index/live"
	"ken/internal/memory"
	"ken/internal/memory/filelog"
	"ken/internal/session"
)

// both is an index over the log of this device and that of the phone, with an index or
// without.
func (h *home) both(indexed bool) *live.Index {
	own := filelog.Open(h.path("memory.jsonl"), filelog.Options{DeviceFile: h.path("device.json"), Now: h.clock})
	phone := filelog.Open(h.path("peers", "phone.jsonl"), filelog.Options{Replica: true, Now: h.clock})
	e := engine.New(engine.Options{Own: own, Replicas: []engine.Replica{{Name: "phone", Log: phone}}, Now: h.clock})
	o := live.Options{
		State: e.As(engine.Actor{Kind: engine.Person}).State, Own: own, Now: h.clock,
		Logs:     []live.Log{{Path: own.Path()}, {Path: phone.Path(), Name: "phone"}},
		Sessions: []session.Dir{{Path: h.path("sessions"), Lock: h.dir, Run: h.path("run"), Now: h.clock}},
	}
	if indexed {
		o.Dir, o.Clock, o.Least = h.path("cache", "index"), time.Now, 1
	}
	return live.New(o)
}

// genOdd makes a line of a device whose clock goes back and forth. others are the
// items that a line may change.
func genOdd(t *rapid.T, n int, others []string) string {
	ts := ""
	switch at := time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC); rapid.IntRange(0, 9).Draw(t, "clock") {
	case 0: // the line says no time
	case 1:
		ts = fmt.Sprintf(`"ts":%q,`, at.AddDate(3, 0, 0).Format(time.RFC3339))
	case 2:
		ts = fmt.Sprintf(`"ts":%q,`, at.Add(time.Duration(rapid.IntRange(0, 29).Draw(t, "tenths"))*100*time.Millisecond).Format(time.RFC3339Nano))
	default:
		ts = fmt.Sprintf(`"ts":%q,`, at.Add(time.Duration(rapid.IntRange(0, 5).Draw(t, "seconds"))*time.Second).Format(time.RFC3339))
	}
	target := rapid.SampledFrom(others).Draw(t, "target")
	switch rapid.IntRange(0, 11).Draw(t, "line") {
	case 0, 1, 2, 3:
		return fmt.Sprintf(`{"id":%d,%s"kind":"edit","target":%s,"content":"the kettle of round %d"}`, n, ts, target, n)
	case 4:
		return fmt.Sprintf(`{"id":%d,%s"kind":"pin","target":%s}`, n, ts, target)
	case 5:
		return fmt.Sprintf(`{"id":%d,%s"kind":"unpin","target":%s}`, n, ts, target)
	case 6:
		return fmt.Sprintf(`{"id":%d,%s"kind":"tier","targets":[%s],"tier":"archive"}`, n, ts, target)
	case 7:
		return fmt.Sprintf(`{"id":%d,%s"kind":"forget","target":%s}`, n, ts, target)
	case 8:
		return fmt.Sprintf(`{"id":%d,%s"kind":"undo","target":%s}`, n, ts, target)
	}
	return fmt.Sprintf(`{"id":%d,%s"kind":"fact","content":"the kettle is red"}`, n, ts)
}

// TestL2TwoClocks (L2): two devices whose clocks are wrong change each other's items;
// what the index says is what the files say, also where only the running time of a
// log reports which change was the last.
func TestL2TwoClocks(t *testing.T) {
	t.Parallel()
	questions := []string{"kettle", "which kettle of round 3"}
	indexed := 0
	rapid.Check(t, func(rt *rapid.T) {
		h := &home{dir: t.TempDir(), now: time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)}
		h.write(t, "memory.jsonl", `{"meta":{"format":1,"log":"desk"}}`)
		h.write(t, "device.json", `{"log":"desk"}`)
		h.write(t, "peers/phone.jsonl", `{"meta":{"format":1,"log":"phone"}}`)
		desk, phone := 0, 0
		round := func(name string, n *int, from, to int, other string, of int) {
			var lines []string
			for range rapid.IntRange(from, to).Draw(rt, name) {
				var targets []string
				for i := range max(*n, 1) {
					targets = append(targets, fmt.Sprint(i+1))
				}
				for i := range of {
					targets = append(targets, fmt.Sprintf(`"%s/%d"`, other, i+1))
				}
				*n++
				lines = append(lines, genOdd(rt, *n, targets))
			}
			h.write(t, name, lines...)
		}
		same := func(when string, s *live.Index) {
			want, got := ask(t, h.both(false), questions...), ask(t, s, questions...)
			for _, all := range [...][]answer{want, got} {
				for i := range all { // who reads them all brings them into order
					slices.SortFunc(all[i].Items, func(a, b memory.Item) int { return strings.Compare(a.Ref(), b.Ref()) })
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				rt.Fatalf("%s (-files +index):\n%s", when, diff)
			}
		}
		round("memory.jsonl", &desk, 1, 6, "phone", 0)
		round("peers/phone.jsonl", &phone, 1, 8, "desk", desk)
		round("memory.jsonl", &desk, 0, 6, "phone", phone)
		h.age(t)
		s := h.both(true)
		same("without an index", s)
		if err := s.Rebuild(t.Context()); err != nil {
			rt.Fatal(err)
		}
		s = h.both(true)
		same("from the index", s)
		if !s.Wants() {
			indexed++
		}
		round("memory.jsonl", &desk, 0, 3, "phone", phone)
		same("with later lines", h.both(true))
	})
	if indexed == 0 {
		t.Error("no answer came from the index")
	}
}
