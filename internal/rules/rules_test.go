package rules_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"ken/internal/memory"
	"ken/internal/risk"
	"ken/internal/rules"
)

var noon = time.Date(2026, 5, 10, 12, 0, 0, 0, time.UTC)

func judge(line string) risk.Assessment { return risk.Judge(line, risk.Here{}) }

// rule is the record of a rule as the engine writes it.
func rule(text string) memory.Record {
	rec := memory.Record{Kind: memory.KindRule, Content: text}
	if p, ok := risk.ParseRule(text); ok {
		rec.Detail = &memory.Detail{Match: p.Match, Unless: p.Unless, Raise: p.Raise.String()}
	}
	return rec
}

// write is a memory with lines.
func write(s *memory.State, lines ...memory.Record) *memory.State {
	if s == nil {
		s = memory.Fold(memory.Lines{Own: true, Log: "here-0001"})
	}
	at := noon
	for _, l := range s.Logs() {
		at = at.Add(time.Duration(len(l.Entries)) * time.Second)
	}
	return rules.After(s, at, lines)
}

// TestSet: the set holds rules, checked and not, and what binds besides; nothing that waits,
// expired text included in it with its time.
func TestSet(t *testing.T) {
	t.Parallel()
	pref := rule("ask before npm publish")
	pref.Kind = memory.KindPref
	others := pref
	others.Origin, others.By = memory.OriginModel, "user"
	waits := rule("never run dd")
	waits.Origin = memory.OriginModel
	fact := memory.Record{Kind: memory.KindFact, Content: "x"}
	s := write(nil, rule("Never run git push --force"), fact, rule("Be kind to cats"), pref, others, waits)
	var got []string
	for _, r := range rules.Of(s) {
		got = append(got, r.Name()+": "+r.Form())
	}
	want := "rule #1: git push --force is danger, rule #3: , pref #4: npm publish is caution"
	if strings.Join(got, ", ") != want {
		t.Errorf("%s, want %s", strings.Join(got, ", "), want)
	}
}

// TestEffect: what a difference comes to, in the cases that a person meets.
func TestEffect(t *testing.T) {
	t.Parallel()
	in := func(r memory.Record, scope memory.Scope) memory.Record { r.Scope = scope; return r }
	until := rule("never run dd")
	until.Detail.Expires = noon.Add(time.Hour)
	for _, c := range []struct {
		name     string
		old, now []memory.Record
		want     rules.Effect
		signs    string
	}{
		{"added", nil, []memory.Record{rule("ask before git push")}, rules.Tightens, "+"},
		{"gone", []memory.Record{rule("ask before git push")}, nil, rules.Relaxes, "-"},
		{"the same again", []memory.Record{rule("ask before git push")}, []memory.Record{rule("ask before git push")}, rules.Neutral, ""},
		{"wider", []memory.Record{rule("ask before git push --force")}, []memory.Record{rule("ask before git push")}, rules.Tightens, "~"},
		{"narrower", []memory.Record{rule("ask before git push")}, []memory.Record{rule("ask before git push --force")}, rules.Relaxes, "~"},
		{"stricter", []memory.Record{rule("ask before git push")}, []memory.Record{rule("never run git push")}, rules.Tightens, "~"},
		{"milder", []memory.Record{rule("never run git push")}, []memory.Record{rule("ask before git push")}, rules.Relaxes, "~"},
		{"excused", []memory.Record{rule("never run dd")}, []memory.Record{rule("never run dd without --dry-run")}, rules.Relaxes, "~"},
		{"one place", []memory.Record{rule("never run dd")}, []memory.Record{in(rule("never run dd"), "repo:a/b")}, rules.Relaxes, "~"},
		{"everywhere", []memory.Record{in(rule("never run dd"), "repo:a/b")}, []memory.Record{rule("never run dd")}, rules.Tightens, "~"},
		{"for a while", []memory.Record{rule("never run dd")}, []memory.Record{until}, rules.Relaxes, "~"},
		{"other words", []memory.Record{rule("Be kind to cats")}, []memory.Record{rule("Be kind to dogs")}, rules.Relaxes, "~"},
		{"covered", []memory.Record{rule("never run dd"), rule("ask before dd if=x")}, []memory.Record{rule("never run dd")}, rules.Neutral, "-"},
		{"one for another", []memory.Record{rule("never run dd")}, []memory.Record{rule("never run mkfs")}, rules.Relaxes, "~"},
	} {
		d := rules.Between(rules.Of(write(nil, c.old...)), rules.Of(write(nil, c.now...)))
		signs := ""
		for _, ch := range d.Changes {
			signs += ch.Sign()
		}
		if d.Effect != c.want || signs != c.signs {
			t.Errorf("%s: %s %q, want %s %q", c.name, d.Effect, signs, c.want, c.signs)
		}
	}
}

// words that random rules and commands are made of.
var (
	programs = []string{"git", "npm", "dd", "/usr/bin/git", "docker"}
	subs     = []string{"push", "publish", "run", "rm"}
	flags    = []string{"--force", "-f", "--dry-run", "*"}
	scopes   = []memory.Scope{"", "repo:a/b", "dir:~/src", "dir:~/src/deep"}
)

func pick[T any](rnd *rand.Rand, list []T) T { return list[rnd.IntN(len(list))] }

// randomRule is any rule.
func randomRule(rnd *rand.Rand) memory.Record {
	d := &memory.Detail{Match: []string{pick(rnd, programs)}, Raise: pick(rnd, []string{"caution", "danger"})}
	if rnd.IntN(3) > 0 {
		d.Match = append(d.Match, pick(rnd, subs))
	}
	if rnd.IntN(3) == 0 {
		d.Match = append(d.Match, pick(rnd, flags))
	}
	if rnd.IntN(4) == 0 {
		d.Unless = pick(rnd, []string{"--dry-run", "SAFE=1"})
	}
	if rnd.IntN(6) == 0 {
		d.Expires = noon.Add(time.Duration(rnd.IntN(3)-1) * time.Hour)
	}
	if rnd.IntN(6) == 0 {
		d.ValidFrom = noon.Add(time.Duration(rnd.IntN(3)-1) * time.Hour)
	}
	rec := memory.Record{Kind: memory.KindRule, Content: "rule " + strings.Join(d.Match, " "), Scope: pick(rnd, scopes), Detail: d}
	if rnd.IntN(5) == 0 {
		rec.Kind = pick(rnd, []memory.Kind{memory.KindPref, memory.KindLesson})
	}
	if rnd.IntN(8) == 0 {
		rec.Kind, rec.Detail, rec.Content = memory.KindRule, nil, pick(rnd, []string{"Be kind", "Be brief"})
	}
	return rec
}

func randomCommand(rnd *rand.Rand) rules.Command {
	line := pick(rnd, programs) + " " + pick(rnd, subs)
	if rnd.IntN(2) == 0 {
		line += " " + pick(rnd, []string{"--force", "--dry-run", "-xf", "origin"})
	}
	if rnd.IntN(5) == 0 {
		line = "SAFE=1 " + line
	}
	if rnd.IntN(5) == 0 {
		line = "ls; sudo " + line
	}
	return rules.Command{Line: line, Scope: pick(rnd, scopes)}
}

// brute is the level of a command under the items of a state, each held against it by
// itself, and whether one holds it.
func brute(s *memory.State, c rules.Command, now time.Time) (level risk.Level, held bool) {
	v := judge(c.Line)
	level = v.Level
	for _, it := range s.Items() {
		scope, d := it.Record.Scope, it.Record.Details()
		below := strings.HasPrefix(string(scope), "dir:") && strings.HasPrefix(string(c.Scope), string(scope)+"/")
		if scope != "" && scope != c.Scope && !below || !it.Current(now) || len(d.Match) == 0 {
			continue
		}
		r := risk.Rule{Match: d.Match, Unless: d.Unless, Raise: risk.Caution}
		if d.Raise == "danger" && it.Record.Kind == memory.KindRule {
			r.Raise = risk.Danger
		}
		if r.Holds(v) {
			held, level = true, max(level, r.Raise)
		}
	}
	return level, held
}

// TestImpact: an impact is what the gate says of each command before and after; and where
// a difference does not relax, no command is held less, at any place and time.
func TestImpact(t *testing.T) {
	t.Parallel()
	for seed := range uint64(100) {
		rnd := rand.New(rand.NewPCG(seed, 7))
		var old, now []memory.Record
		for range rnd.IntN(4) {
			old = append(old, randomRule(rnd))
		}
		for _, r := range old {
			switch rnd.IntN(4) {
			case 0:
			case 1:
				now = append(now, randomRule(rnd))
			default:
				now = append(now, r)
			}
		}
		if rnd.IntN(2) == 0 {
			now = append(now, randomRule(rnd))
		}
		a, b := write(nil, old...), write(nil, now...)
		d := rules.Between(rules.Of(a), rules.Of(b))
		var list []rules.Command
		for range 25 {
			list = append(list, randomCommand(rnd))
		}
		for _, at := range []time.Time{noon.Add(-2 * time.Hour), noon, noon.Add(2 * time.Hour)} {
			got := rules.ImpactOf(rules.Of(a), rules.Of(b), list, judge, at)
			count := [4]int{}
			for _, c := range list {
				before, was := brute(a, c, at)
				after, is := brute(b, c, at)
				for i, so := range []bool{!was && is, was && !is, after > before, after < before} {
					if so {
						count[i]++
					}
				}
				if d.Effect != rules.Relaxes && (after < before || was && !is) {
					t.Fatalf("seed %d: %s is %s, and %q goes from %s to %s", seed, fmt.Sprint(old, now), d.Effect, c.Line, before, after)
				}
				if d.Effect == rules.Neutral && after != before {
					t.Fatalf("seed %d: neutral, and %q goes from %s to %s", seed, c.Line, before, after)
				}
			}
			if is := [4]int{len(got.Asked), len(got.Freed), len(got.Raised), len(got.Lowered)}; is != count || got.Of != len(list) {
				t.Fatalf("seed %d: impact %v, one by one %v", seed, is, count)
			}
		}
	}
}

// history is a memory with random lines about rules, and the set after each of them.
func history(rnd *rand.Rand, lines int) (*memory.State, []rules.Set) {
	s := write(nil)
	sets := []rules.Set{rules.Of(s)}
	for range lines {
		items := s.Items()
		var line memory.Record
		switch k := rnd.IntN(12); {
		case k < 4 || len(items) == 0:
			line = randomRule(rnd)
			if rnd.IntN(6) == 0 {
				line.Key = "k"
			}
		case k == 4:
			line = memory.Record{Kind: memory.KindFact, Content: "tea", Key: pick(rnd, []string{"", "k"})}
		case k == 5:
			line = memory.Record{Kind: memory.KindForget, Target: pick(rnd, items).ID}
		case k == 6 && len(items) > 1:
			line = memory.Record{Kind: memory.KindForget, Detail: &memory.Detail{Targets: []memory.ID{items[0].ID, pick(rnd, items[1:]).ID}}}
		case k == 7:
			e := randomRule(rnd)
			line = memory.Record{Kind: memory.KindEdit, Target: pick(rnd, items).ID, Content: e.Content, Detail: e.Detail}
			if e.Detail == nil {
				line.Detail = &memory.Detail{Clear: []string{"match", "unless", "raise"}}
			}
		case k == 8:
			line = randomRule(rnd)
			d := line.Details()
			d.Supersedes = []memory.ID{pick(rnd, items).ID}
			line.Detail = &d
		case k == 9:
			line = memory.Record{Kind: memory.KindErased, Target: pick(rnd, items).ID}
		default:
			line = memory.Record{Kind: memory.KindUndo, Target: memory.Num(1 + rnd.Int64N(s.MaxID("")))}
		}
		s = write(s, line)
		sets = append(sets, rules.Of(s))
	}
	return s, sets
}

// TestNext: what lines make of a set is what a fold of all lines says, whatever they are and
// whatever they have to do with those that stand.
func TestNext(t *testing.T) {
	t.Parallel()
	beside := 0
	for seed := range uint64(60) {
		rnd := rand.New(rand.NewPCG(seed, 5))
		s, sets := history(rnd, 10)
		old := sets[len(sets)-1]
		for range 20 {
			var lines []memory.Record
			for range 1 + rnd.IntN(3) {
				line := randomRule(rnd)
				line.Kind = pick(rnd, []memory.Kind{memory.KindRule, memory.KindRule, memory.KindPref, memory.KindFact, memory.KindForget})
				line.Key = pick(rnd, []string{"", "", "k", "l"})
				line.Scope = pick(rnd, []memory.Scope{"", "repo:a/b"})
				line.Origin = pick(rnd, []memory.Origin{"", "", memory.OriginModel})
				if line.Kind == memory.KindForget {
					line = memory.Record{Kind: memory.KindForget, Target: memory.Num(1 + rnd.Int64N(s.MaxID("")+2))}
				} else if d := line.Details(); rnd.IntN(6) == 0 { // also what is not there yet
					d.Supersedes = []memory.ID{memory.Num(1 + rnd.Int64N(s.MaxID("")+3))}
					line.Detail = &d
				}
				lines = append(lines, line)
			}
			now := noon.Add(time.Hour)
			got, want := rules.Next(s, old, now, lines), rules.Of(rules.After(s, now, lines))
			d := rules.Between(got, want)
			if !d.Empty() || len(got) != len(want) {
				t.Fatalf("seed %d: %+v make %d rules, want %d: %+v", seed, lines, len(got), len(want), d)
			}
			for i := range got {
				if got[i].ID != want[i].ID || !got[i].Changed.Equal(want[i].Changed) {
					t.Fatalf("seed %d: rule %d is %s, want %s", seed, i, got[i].Name(), want[i].Name())
				}
			}
			if len(got) > len(old) {
				beside++
			}
		}
		// An item may name what comes after it.
		ahead := memory.Detail{Supersedes: []memory.ID{memory.Num(s.MaxID("") + 2)}}
		s = write(s, memory.Record{Kind: memory.KindFact, Content: "x", Detail: &ahead})
		late := []memory.Record{rule("ask before dd")}
		if got, want := rules.Next(s, rules.Of(s), noon, late), rules.Of(rules.After(s, noon, late)); !got.Same(want) {
			t.Fatalf("seed %d: named before it was there: %d rules, want %d", seed, len(got), len(want))
		}
	}
	if beside < 100 {
		t.Errorf("only %d of 1200 added a rule", beside)
	}
}

// TestVersions: the versions are the sets that were in force, one by one, as far as nothing
// was erased since.
func TestVersions(t *testing.T) {
	t.Parallel()
	for seed := range uint64(40) {
		rnd := rand.New(rand.NewPCG(seed, 3))
		s, sets := history(rnd, 14)
		if slices.ContainsFunc(s.Logs()[0].Entries, func(e memory.Entry) bool { return e.Record.Kind == memory.KindErased }) {
			continue
		}
		var want []string
		for i, set := range sets {
			if i == 0 || !set.Same(sets[i-1]) {
				want = append(want, set.Sum())
			}
		}
		var got []string
		for _, v := range rules.Versions(s) {
			got = append(got, v.Set.Sum())
			if v.N != len(got) {
				t.Fatalf("seed %d: version %d is number %d", seed, len(got), v.N)
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("seed %d: %d versions, want %d", seed, len(got), len(want))
		}
	}
}

// TestReturn: a return to a version gives exactly its set, changes nothing else, leaves the
// earlier versions what they were, and is one version that can be taken back by its last line. Of
// its first lines alone nothing comes.
func TestReturn(t *testing.T) {
	t.Parallel()
	tangled, done, most := 0, 0, 0
	for seed := range uint64(40) {
		rnd := rand.New(rand.NewPCG(seed, 5))
		s, _ := history(rnd, 14)
		versions := rules.Versions(s)
		for n := 1; n <= len(versions); n++ {
			back, err := rules.ReturnTo(s, n, noon.Add(time.Hour))
			switch {
			case errors.Is(err, rules.ErrInForce):
				if !rules.Of(s).Same(versions[n-1].Set) {
					t.Fatalf("seed %d: version %d is said to be in force", seed, n)
				}
				continue
			case errors.Is(err, rules.ErrTangled):
				tangled++
				continue
			case err != nil:
				t.Fatal(err)
			}
			done++
			then := write(s, back.Lines...)
			if !rules.Of(then).Same(versions[n-1].Set) {
				t.Fatalf("seed %d: not the set of version %d", seed, n)
			}
			for j := range back.Lines { // a write that was broken off
				torn := write(s, back.Lines[:j]...)
				if !rules.Of(torn).Same(rules.Of(s)) {
					t.Fatalf("seed %d: %d of the %d lines back to version %d are another set", seed, j, len(back.Lines), n)
				}
				if more := rules.Versions(write(torn, memory.Record{Kind: memory.KindFact, Content: "tea"})); len(more) != len(versions) {
					t.Fatalf("seed %d: %d of %d lines make a version", seed, j, len(back.Lines))
				}
			}
			undone := write(then, memory.Record{Kind: memory.KindUndo, Target: memory.Num(s.MaxID("") + int64(len(back.Lines)))})
			if !rules.Of(undone).Same(rules.Of(s)) {
				t.Fatalf("seed %d: what takes back the return to version %d gives another set", seed, n)
			}
			newest, ok := then.Undoable() // what an undo without a number means
			if before, was := undone.Undoable(); !ok || newest.ID.N != then.MaxID("") || was && before.ID.N > s.MaxID("") {
				t.Fatalf("seed %d: after the return to version %d, undo means %v, and then %v", seed, n, newest.ID, before.ID)
			}
			most = max(most, len(back.Lines))
			after := rules.Versions(then)
			last := after[len(after)-1]
			if len(after) != len(versions)+1 || last.Back != n || len(last.Lines) == 0 {
				t.Fatalf("seed %d: %d versions became %d; the last goes back to %d", seed, len(versions), len(after), last.Back)
			}
			for i := range versions {
				if !after[i].Set.Same(versions[i].Set) {
					t.Fatalf("seed %d: version %d is another one now", seed, i+1)
				}
			}
			forth, err := rules.ReturnTo(then, len(versions), noon.Add(2*time.Hour))
			if err != nil && !errors.Is(err, rules.ErrTangled) {
				t.Fatalf("seed %d: forth again: %v", seed, err)
			}
			if err == nil && !rules.Of(write(then, forth.Lines...)).Same(rules.Of(s)) {
				t.Fatalf("seed %d: forth again is another set", seed)
			}
		}
	}
	if t.Logf("%d returns of up to %d lines, %d that cannot be", done, most, tangled); done < 20*tangled || most < 4 {
		t.Errorf("%d returns, %d that cannot be", done, tangled)
	}
}

// TestSpeed: five hundred rules with as many changes are no wait.
func TestSpeed(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	var lines []memory.Record
	for i := range 500 {
		lines = append(lines, rule(fmt.Sprintf("ask before tool%d push", i)))
		lines[i].Detail = &memory.Detail{Match: []string{fmt.Sprintf("tool%d", i), "push"}, Raise: "caution"}
	}
	for i := range 50 {
		lines = append(lines, memory.Record{Kind: memory.KindForget, Target: memory.Num(int64(i + 1))})
	}
	s := write(nil, lines...)
	began := time.Now()
	versions := rules.Versions(s)
	took := time.Since(began)
	t.Logf("%d versions in %s", len(versions), took)
	if took > 20*time.Second {
		t.Errorf("%s: it is quadratic again", took)
	}
	if len(versions) != 551 {
		t.Errorf("%d versions", len(versions))
	}
}
