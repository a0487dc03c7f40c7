package patterns_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ken/internal/learn/patterns"
	"ken/internal/memory"
)

// item makes a memory of a text: number n, kind, scope, and the conversation it comes from
// ("": none).
func item(n int64, kind memory.Kind, scope memory.Scope, session, content string) memory.Item {
	rec := &memory.Record{ID: memory.Num(n), Kind: kind, Scope: scope, Content: content}
	if session != "" {
		rec.Source = &memory.Source{Session: session, Turn: 1}
	}
	return memory.Item{ID: rec.ID, Record: rec, Phase: kind.DefaultPhase(), Order: int(n), Importance: 5}
}

// matters are memories of a person's work, several of each matter; what stands before the
// bar is the number of the first.
var matters = []struct {
	scope memory.Scope
	texts []string
}{
	{"", []string{
		"A force push to main broke the build of the team.",
		"The force push to main lost two commits of Bob.",
		"Force push to main was refused by the server, it broke the release.",
		"Never force push to main before the review.",
	}},
	{"", []string{
		"The CSV export broke because of the German locale.",
		"The CSV import broke because of the locale de_DE.",
		"Dates in a CSV broke because of the locale.",
		"Set LC_ALL=C before the CSV export.",
	}},
	{"repo:github.com/me/shop", []string{
		"Run the unit tests before pushing to develop.",
		"CI was red: run the unit tests before pushing.",
		"Run the unit tests and the linter before pushing to develop.",
		"Unit tests take 5 minutes on the laptop.",
	}},
	{"repo:github.com/me/shop", []string{
		"Alice reviews the payment code of Bob.",
		"Bob writes the payment code, Alice reviews it.",
		"The payment code needs a review of Alice.",
	}},
	{"", []string{
		"YAML files use 2 spaces, not tabs.",
		"Tabs in YAML files broke the deploy.",
		"YAML files in this team use 2 spaces.",
		"Go files use tabs of 8 columns.",
	}},
	{"repo:github.com/me/shop", []string{
		"Migrations run with make migrate before the deploy.",
		"The deploy failed because make migrate was not run.",
		"Run make migrate before the deploy to staging.",
		"The deploy of Friday failed: make migrate was forgotten.",
	}},
	{"", []string{
		"Prefer rg over grep for a search in the sources.",
		"A search with grep in the sources took minutes, rg took seconds.",
		"Use rg instead of grep in the sources.",
	}},
	{"", []string{
		"Convert csv to json with jq, not with sed.",
		"The script that converts csv to json lives in ~/bin/csv2json.",
		"Convert csv to json before the upload.",
	}},
}

// shop is all of it, as one memory: the item of matter m and text t has the number 10(m+1)+t.
func shop() []memory.Item {
	var list []memory.Item
	for m, x := range matters {
		for i, s := range x.texts {
			kind := memory.KindLesson
			if i%2 == 1 {
				kind = memory.KindGotcha
			}
			list = append(list, item(int64(10*(m+1)+i), kind, x.scope, fmt.Sprintf("s%d", i), s))
		}
	}
	return list
}

// shown are the clusters as they would be if each matter were one.
func shown() []patterns.Cluster {
	var out []patterns.Cluster
	list := shop()
	for _, x := range matters {
		out = append(out, patterns.Cluster{Scope: x.scope, Items: list[:len(x.texts)], Depth: 1})
		list = list[len(x.texts):]
	}
	return out
}

func draft(content string, cites ...string) patterns.Draft {
	return patterns.Draft{Kind: "pattern", Content: content, Cites: cites}
}

// honest are drafts as a careful model writes them of the matters.
var honest = []patterns.Draft{
	draft("A force push to main broke the build.", "10", "11", "12"),
	draft("Never force push to main.", "10", "11", "12", "13"),
	draft("Force push to main lost commits", "10", "11", "12"),
	draft("A force push to main broke the release.", "10", "11", "12"),
	draft("Force pushes to main break the build and the release.", "10", "11", "12"),
	draft("CSV broke because of the locale.", "20", "21", "22"),
	draft("The CSV export broke because of the locale.", "20", "21", "22"),
	draft("CSV export and import broke because of the locale.", "20", "21", "22"),
	draft("Set LC_ALL=C before the CSV export; the CSV export broke because of the locale.", "20", "21", "22", "23"),
	draft("Run the unit tests before pushing.", "30", "31", "32"),
	draft("Run unit tests before pushing to develop.", "30", "31", "32"),
	draft("Before pushing, run the unit tests.", "30", "31", "32"),
	draft("Run the linter before pushing to develop. Run the unit tests before pushing to develop.", "30", "31", "32"),
	draft("Alice reviews the payment code.", "40", "41", "42"),
	draft("Payment code needs a review of Alice.", "40", "41", "42"),
	draft("Bob writes the payment code; Alice reviews the payment code.", "40", "41", "42"),
	draft("YAML files use 2 spaces.", "50", "51", "52"),
	draft("YAML files: 2 spaces, not tabs", "50", "51", "52"),
	draft("Files use 2 spaces, not tabs.", "50", "51", "52"),
	draft("Tabs in YAML files broke the deploy; YAML files use 2 spaces.", "50", "51", "52"),
	draft("Run make migrate before the deploy.", "60", "61", "62"),
	draft("Deploy failed: make migrate was forgotten.", "60", "61", "62", "63"),
	draft("make migrate before a deploy to staging", "60", "61", "62"),
	draft("Use rg instead of grep.", "70", "71", "72"),
	draft("Prefer rg over grep in the sources.", "70", "71", "72"),
	draft("In the sources, use rg instead of grep.", "70", "71", "72"),
	draft("Convert csv to json with jq.", "80", "81", "82"),
	draft("csv to json with jq, not sed", "80", "81", "82"),
	draft("csv to json: the script lives in ~/bin/csv2json.", "80", "81", "82"),
	{Kind: "convention", Content: "Run the unit tests before pushing.", Cites: []string{"30", "31", "32"}, Claims: []patterns.Claim{
		{Text: "Run the unit tests before pushing to develop.", Cites: []string{"30"}}, {Text: "CI was red", Cites: []string{"31"}},
	}},
	{Kind: "project_pattern", Content: "Make migrate runs before the deploy.", Cites: []string{"60", "61", "62"}},
}

// TestHonestDrafts: most of what a careful model writes passes, with what it rests on.
func TestHonestDrafts(t *testing.T) {
	t.Parallel()
	basis := patterns.Basis{Clusters: shown()}
	refused := 0
	for _, d := range honest {
		p, err := patterns.Check(d, basis)
		if err != nil {
			refused++
			t.Logf("refused: %s: %v", d.Content, err)
			continue
		}
		if strings.Join(p.Refs(), " ") != strings.Join(d.Cites, " ") || p.Origin != memory.OriginModel || p.Content != d.Content {
			t.Errorf("%s: %+v", d.Content, p)
		}
	}
	t.Logf("%d of %d honest drafts pass", len(honest)-refused, len(honest))
	if 5*refused > len(honest) {
		t.Errorf("%d of %d honest drafts are refused", refused, len(honest))
	}
}

// TestClusters: each matter is a group of its own, and named by what its memories have in
// common.
func TestClusters(t *testing.T) {
	t.Parallel()
	var got []string
	for _, c := range patterns.Clusters(shop()) {
		got = append(got, fmt.Sprint(c.Scope, c.Refs(), c.Common))
	}
	want := []string{
		"repo:github.com/me/shop[60 61 62 63] [deploy make migrations run]",
		"[50 51 52 53] [files yaml tabs use]",
		"[10 11 12 13] [force main push]",
		"[80 81 82] [convert json csv]",
		"[70 71 72] [grep rg sources search]",
		"repo:github.com/me/shop[40 41 42] [alice code payment reviews bob]",
		"repo:github.com/me/shop[30 31 32] [pushing develop tests unit run]",
		"[20 21 22] [locale broke csv]",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestLaws: the order of memories does not matter, and what a memory says stands in it.
func TestLaws(t *testing.T) {
	t.Parallel()
	list := shop()
	want := fmt.Sprint(patterns.Clusters(list))
	for range 20 {
		rand.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		if got := fmt.Sprint(patterns.Clusters(list)); got != want {
			t.Fatalf("groups in another order of the memories: %s, want %s", got, want)
		}
	}
	for _, it := range list {
		same := []memory.Item{
			item(1, memory.KindLesson, "", "a", it.Record.Content), item(2, memory.KindLesson, "", "b", it.Record.Content),
			item(3, memory.KindLesson, "", "c", it.Record.Content),
		}
		_, err := patterns.Check(draft(it.Record.Content, "1", "2", "3"), patterns.Basis{Clusters: []patterns.Cluster{{Items: same, Depth: 1}}})
		if err == nil || !strings.HasPrefix(err.Error(), "it says no more than #") {
			t.Errorf("%s: %v", it.Record.Content, err)
		}
	}
}

// TestOrigin: a pattern is as little trusted as the least trusted of what it cites.
func TestOrigin(t *testing.T) {
	t.Parallel()
	for _, least := range []memory.Origin{"", memory.OriginModel, "agent:x", memory.OriginTool, memory.OriginExternal} {
		clusters := shown()
		clusters[2].Items[1].Origin = least
		p, err := patterns.Check(draft("Run the unit tests before pushing.", "30", "31", "32"), patterns.Basis{Clusters: clusters})
		if want := least.Lowest(memory.OriginModel); err != nil || p.Origin != want || p.Scope != "repo:github.com/me/shop" {
			t.Errorf("%q: %+v, %v", least, p, err)
		}
	}
}

// TestImpact: what a pattern touches, and to what effect.
func TestImpact(t *testing.T) {
	t.Parallel()
	rules := []memory.Item{
		item(90, memory.KindRule, "", "", "Always confirm git push --force"),
		item(91, memory.KindRule, "", "", "Never force push to main"),
		item(92, memory.KindRule, "", "", "Ask before docker system prune"),
	}
	p, err := patterns.Check(draft("Never force push to main.", "10", "11", "12", "13"), patterns.Basis{Clusters: shown()})
	if err != nil {
		t.Fatal(err)
	}
	if got := patterns.ImpactOf(p, rules).String(); got != "user; pattern of lesson, gotcha; touches rule #91; tightens" {
		t.Error(got)
	}
	p, err = patterns.Check(draft("YAML files use 2 spaces.", "50", "51", "52"), patterns.Basis{Clusters: shown(), Rules: rules})
	if got := patterns.ImpactOf(p, rules).String(); err != nil || got != "user; pattern of lesson, gotcha; neutral" {
		t.Error(got, err)
	}
}

// FuzzCheck: whatever is answered, what passes cites what was shown, in one line, as a
// pattern or a convention.
func FuzzCheck(f *testing.F) {
	f.Add(`[{"kind":"pattern","content":"Run the unit tests before pushing.","cites":[30,31,"32"],` +
		`"claims":[{"text":"CI was red","cites":[31]}]}]`)
	f.Add(`[{"kind":"rule","content":"不要 push, \"never\" — A/B.c, 't","cites":[10,11,12]}]`)
	clusters := shown()
	f.Fuzz(func(t *testing.T, answer string) {
		drafts, err := patterns.Read(answer)
		if err != nil {
			return
		}
		for _, d := range drafts {
			p, err := patterns.Check(d, patterns.Basis{Clusters: clusters})
			if err != nil {
				continue
			}
			kinds := p.Kind == memory.KindPattern || p.Kind == memory.KindConvention
			if len(p.Cites) < patterns.Least || strings.ContainsAny(p.Content, "\n\r") || !kinds {
				t.Errorf("%q passes as %+v", answer, p)
			}
		}
	})
}
