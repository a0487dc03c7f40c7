package habits_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"ken/internal/learn/habits"
	"ken/internal/session"
	"ken/internal/text"
)

// talk is a conversation as its file has it, but for the header.
func talk(t testing.TB, id string, lines ...string) *session.Transcript {
	t.Helper()
	head := fmt.Sprintf(`{"meta":{"format":1,"session":%q,"started":"2026-05-%s"}}`, id, id[6:8]+"T10:00:00Z")
	tr, err := session.Read(strings.NewReader(head+"\n"+strings.Join(lines, "\n")+"\n"), id)
	if err != nil || len(tr.Problems) > 0 {
		t.Fatal(err, tr.Problems)
	}
	return tr
}

func asked(n int, said string) string {
	b, _ := json.Marshal(said)
	return fmt.Sprintf(`{"role":"user","content":%s,"n":%d}`, b, n)
}

func answered(n int, said string) string {
	b, _ := json.Marshal(said)
	return fmt.Sprintf(`{"role":"assistant","content":%s,"n":%d}`, b, n)
}

// calls is an answer that calls a tool, and how that ended.
func calls(n int, name, args, end string) string {
	b, _ := json.Marshal(args)
	return fmt.Sprintf(`{"role":"assistant","content":"","n":%d,`+
		`"tool_calls":[{"id":"c%d","type":"function","function":{"name":%q,"arguments":%s}}]}
{"event":"act","id":"c%d","tool":%q,"what":"%s a file","state":"begun"}
{"event":"act","id":"c%d","state":"done",%s}`, n, n, name, b, n, name, name, n, end)
}

func typed(cmd string, exit int) string {
	return fmt.Sprintf(`{"event":"exec","cmd":%q,"lane":"user","exit":%d,"bytes":0}`, cmd, exit)
}

// fails is a call that fails to edit a file.
func fails(n int, file string) string {
	return calls(n, "edit_file", fmt.Sprintf(`{"path":%q,"old":"a","new":"b"}`, file), `"outcome":"failed"`)
}

// ref is the turn n of the conversation of a day.
func ref(day, n int) session.Ref {
	return session.Ref{Session: fmt.Sprintf("202605%02dT100000Z-%04d", day, day), Turn: n}
}

// field are the three conversations of S113: the same wish in other words each time, and a tool that fails three times on one file.
func field(t testing.TB) []*session.Transcript {
	edit := func(n int) string { return fails(n, "report.csv") }
	return []*session.Transcript{
		talk(t, "20260501T100000Z-0001", asked(1, "convert csv to json please"), answered(2, "done")),
		talk(t, "20260502T100000Z-0002", asked(1, "convert csv to json again"),
			edit(2), edit(3), edit(4)),
		talk(t, "20260503T100000Z-0003", asked(1, "convert another csv to json"), answered(2, "done")),
	}
}

func traces(all []*session.Transcript) (list []habits.Trace) {
	for _, t := range all {
		list = append(list, habits.Of(t, nil))
	}
	return list
}

// TestS113Friction: three conversations with one wish in other words and a tool that failed three times on one file show two
// signals, with the turns.
func TestS113Friction(t *testing.T) {
	t.Parallel()
	got := habits.Find(traces(field(t)), nil)
	want := habits.Found{Read: 3, Signals: []habits.Signal{
		{
			Kind: habits.Repeated, Text: "convert another csv to json", Words: []string{"convert", "csv", "json"}, Count: 3, Sessions: 3,
			At: []session.Ref{ref(1, 1), ref(2, 1), ref(3, 1)},
		},
		{
			Kind: habits.Failing, Text: "edit_file on report.csv", Words: text.Core("edit_file on report.csv"), Count: 3, Sessions: 1,
			At: []session.Ref{ref(2, 2), ref(2, 3), ref(2, 4)},
		},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("signals (-want +got):\n%s", diff)
	}
	if covered := habits.Find(traces(field(t)), [][]string{text.Core("csv json"), {}}); len(covered.Signals) != 1 || covered.Covered != 1 {
		t.Errorf("a skill for it is there: %+v", covered)
	}
	if few := habits.Find(traces(field(t))[:2], nil); few.Read != 2 || few.Signals != nil {
		t.Errorf("of two conversations: %+v", few)
	}
	want1 := "- \"convert another csv to json\": asked 3 times in 3 conversations\n" +
		"- edit_file on report.csv failed 3 times in 1 conversation, one after another\n"
	if diff := cmp.Diff(want1, habits.Evidence(got.Signals)); diff != "" {
		t.Errorf("evidence (-want +got):\n%s", diff)
	}
}

// TestTongues: the same wish in other words is found in other languages.
//
//ken:unraced
func TestTongues(t *testing.T) {
	t.Parallel()
	for name, said := range map[string][]string{
		"de":    {"bitte csv in json konvertieren", "konvertiere nochmal eine csv in json", "kannst du noch eine csv zu json konvertieren?"},
		"fr":    {"convertir le csv en json s'il te plaît", "peux-tu encore convertir un csv en json ?", "convertir un autre csv en json"},
		"es":    {"convierte el csv a json por favor", "convierte otro csv a json", "convierte de nuevo un csv a json"},
		"it":    {"converti il csv in json per favore", "converti un altro csv in json", "converti ancora un csv in json"},
		"pt":    {"converte o csv para json por favor", "converte outro csv para json", "converte de novo um csv para json"},
		"nl":    {"zet de csv om naar json alsjeblieft", "zet nog een csv om naar json", "zet opnieuw een andere csv om naar json"},
		"pl":    {"proszę zamień csv na json", "zamień jeszcze raz csv na json", "zamień kolejny csv na json"},
		"ru":    {"преобразуй csv в json пожалуйста", "ещё раз преобразуй csv в json", "преобразуй другой csv в json"},
		"tr":    {"lütfen csv'yi json'a dönüştür", "tekrar csv'yi json'a dönüştür", "başka bir csv'yi json'a dönüştür"},
		"hi":    {"कृपया csv को json में बदलो", "फिर csv को json में बदलो", "एक और csv को json में बदलो"},
		"zh":    {"请把csv转换成json", "再把一个csv转换成json", "帮我把另一个csv转成json吧"},
		"ja":    {"csvをjsonに変換してください", "もう一度csvをjsonに変換して", "新しいcsvをjsonに変換"},
		"ko":    {"csv를 json으로 변환해 주세요", "다시 csv를 json으로 변환해줘", "다른 csv를 json으로 변환"},
		"mixed": {"convert CSV → JSON", "bitte csv nach json", "csv to json!!"},
	} {
		var all []*session.Transcript
		for i, s := range said {
			all = append(all, talk(t, fmt.Sprintf("2026050%dT100000Z-000%d", i+1, i), asked(1, s)))
		}
		if got := habits.Find(traces(all), nil).Signals; len(got) != 1 || got[0].Count != 3 {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// TestNoFriction: what only looks like it is no signal.
func TestNoFriction(t *testing.T) {
	t.Parallel()
	same := func(n int) string { return asked(n, "convert csv to json") }
	small, kept := asked(1, "yes please do it again"), asked(1, "remember that csv is json")
	read := calls(3, "read_file", `{"path":"a"}`, `"outcome":"done"`)
	ls, offer := typed("ls", 0), answered(1, "CMD: npm test")
	pipe := `{"role":"user","content":"convert csv to json","n":1,"from":"external"}`
	for name, of := range map[string][3][]string{
		"other wishes":        {{asked(1, "convert csv to json")}, {asked(1, "explain the retry budget")}, {asked(1, "why is the build red")}},
		"one conversation":    {{same(1), same(2), same(3)}, {asked(1, "x y")}, {asked(1, "z w")}},
		"small words":         {{small}, {small}, {small}},
		"text of others":      {{pipe}, {pipe}, {pipe}},
		"wishes of memory":    {{kept}, {kept}, {kept}},
		"another call":        {{fails(1, "a"), fails(2, "a"), read, fails(4, "a")}, {ls}, {ls}},
		"other files":         {{fails(1, "a"), fails(2, "b"), fails(3, "c")}, {ls}, {ls}},
		"across the end":      {{fails(1, "a"), fails(2, "a")}, {fails(1, "a")}, {ls}},
		"slips of the finger": {{typed("gti status", 127), typed("git status", 0)}, {typed("gti status", 127), typed("git status", 0)}, {ls}},
		"corrected once":      {{offer, typed("npm test -- --runInBand", 0)}, {ls}, {ls}},
		"corrected otherwise": {{offer, typed("npm test -- --runInBand", 0)}, {offer, typed("npm test --watch", 0)}, {ls}},
	} {
		var all []*session.Transcript
		for i, lines := range of {
			all = append(all, talk(t, fmt.Sprintf("2026050%dT100000Z-000%d", i+1, i), lines...))
		}
		if got := habits.Find(traces(all), nil).Signals; len(got) != 0 {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// TestCorrected: a command that a model offered or ran, and that the person ran with the same words more, is one correction
// however often it was tried before.
func TestCorrected(t *testing.T) {
	t.Parallel()
	all := []*session.Transcript{
		talk(t, "20260501T100000Z-0001", asked(1, "test it"), answered(2, "CMD: npm test"), typed("npm test -- --runInBand", 0)),
		talk(t, "20260502T100000Z-0002", asked(1, "test it"),
			calls(2, "shell", `{"command":"npm test ./kettle"}`, `"outcome":"done","exit":1`),
			calls(3, "shell", `{"command":"npm test ./kettle"}`, `"outcome":"done","exit":1`),
			typed("npm test ./kettle -- --runInBand", 0)),
		talk(t, "20260503T100000Z-0003", asked(1, "hello there"), typed("npm test", 1), typed("npm test -- --runInBand", 0)),
	}
	got := habits.Find(traces(all), nil).Signals
	if len(got) != 1 || got[0].Kind != habits.Corrected || got[0].Count != 3 || got[0].Sessions != 3 ||
		got[0].Text != "npm test -> npm test -- --runInBand" {
		t.Errorf("got %+v", got)
	}
}

// TestForgottenTurns: a turn whose memory is forgotten shows nothing, nor what was done for it.
func TestForgottenTurns(t *testing.T) {
	t.Parallel()
	var list []habits.Trace
	for _, tr := range field(t) {
		list = append(list, habits.Of(tr, func(turn session.Turn) bool { return strings.HasSuffix(turn.Content, "again") }))
	}
	if got := habits.Find(list, nil); len(got.Signals) != 0 || got.Read != 2 {
		t.Errorf("got %+v", got)
	}
	said := talk(t, "20260501T100000Z-0001", typed("login --name mallory", 0), typed("ls", 0))
	if tr := habits.Of(said, func(turn session.Turn) bool { return strings.Contains(turn.Content, "mallory") }); len(tr.Steps) != 1 {
		t.Errorf("a line with a forgotten text shows %+v", tr)
	}
}

// TestOrder: the same conversations show the same, in whatever order they come and however often.
func TestOrder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		wish := rapid.SampledFrom([]string{
			"convert csv to json", "convert xml to json", "convert csv to xml", "please convert the csv to a new xml",
			"run kettle tests", "run kettle tests with race", "explain the retry budget", "explain the new budget", "csv json xml kettle",
		})
		var list []habits.Trace
		for i := range rapid.IntRange(0, 30).Draw(t, "conversations") {
			var lines []string
			for n := range rapid.IntRange(0, 5).Draw(t, "turns") {
				lines = append(lines, fmt.Sprintf(`{"role":"user","content":%q,"n":%d}`, wish.Draw(t, "wish"), n+1))
			}
			id := fmt.Sprintf("202605%02dT100000Z-%04d", i+1, i)
			tr, err := session.Read(strings.NewReader(strings.Join(lines, "\n")), id)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, habits.Of(tr, nil))
		}
		want := habits.Find(list, nil)
		shuffled := append(slices.Clone(list), list...)
		seed := rapid.Uint64().Draw(t, "seed")
		rand.New(rand.NewPCG(seed, seed)).Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		opts := cmpopts.EquateEmpty()
		if diff := cmp.Diff(want, habits.Find(shuffled, nil), opts); diff != "" {
			t.Fatalf("in another order (-want +got):\n%s", diff)
		}
		for _, s := range want.Signals {
			if s.Count < 3 || s.Sessions < 2 || len(habits.Evidence(want.Signals)) > habits.MostEvidence {
				t.Fatalf("%+v", s)
			}
		}
	})
}

// TestEvidenceIsBounded: no text, however long or however written, makes evidence long or opens a block in it.
func TestEvidenceIsBounded(t *testing.T) {
	t.Parallel()
	var list []habits.Signal
	for range 200 {
		said := "[exec output]\n\x1b[2J" + strings.Repeat("ä", 4000)
		list = append(list, habits.Signal{Kind: habits.Repeated, Text: said, Count: 3, Sessions: 2})
	}
	got := habits.Evidence(list)
	if len(got) > habits.MostEvidence || strings.Contains(got, "\x1b") || strings.Contains(got, "\n[") || strings.Count(got, "\n") < 2 {
		t.Errorf("%d bytes: %.300q", len(got), got)
	}
}
