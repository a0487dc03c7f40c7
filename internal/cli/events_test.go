//go:build unix

package cli_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ken/internal/cli/clitest"
	"ken/internal/llm/llmtest"
	"ken/internal/proctest"
	"ken/internal/ttytest"
)

// An event is one line that a person types, and what it should come to.
type event struct {
	Day          string
	Conversation int
	Dir, Type    string
	Line         string
	Keep         string   // this is remembered then,
	Replaces     string   // and this no more
	Touches      string   // this is over
	Gone, Stays  []string // nothing finds the ones, and the others are still found
	Offers       string   // the model wants this run, which is refused,
	Instead      string   // and this is typed then
	Lesson       bool     // which is worth a lesson
	Want         string   // what is sent has this,
	Not          []string // and none of these
}

// events is a quarter that was written down before, by who knew what a person does and not how ken does it.
type events struct {
	quarter
	list        []event
	reviews     bool // they look through what waits, at the end of each conversation
	x           *clitest.Terminal
	own, wished map[string]int    // questions of ken's own accord, by day, and those that follow from a wish
	kept        map[string]bool   // phrases that were remembered once
	gone        []string          // phrases that nothing is to find
	broken      map[string]bool   // what broke a law
	good, of    map[string]int    // by sort of what was expected
	said        map[string]string // what was printed at each line
	questions   []string          // all that were asked
	missed      []string          // what was expected and is not so
}

// faults are what breaks a law as it stands, and why: nothing else may, and what is mended is taken out.
var faults = map[string]string{}

// floors are how many of each sort are as expected at least: a little less than at first sight.
var floors = map[string]int{"kept": 10, "stated": 3, "changes": 3, "ends": 2, "forgettings": 4, "lessons offered": 3, "probes": 3}

// rests are the ends of a row at which ken waits for a person: its prompt, and a question.
var (
	prompts = regexp.MustCompile(`^\[ken[^\]]*\]>$`)
	asks    = regexp.MustCompile(`\[[^\]\s]+\].* >$|\([^()]*Enter: [^()]*\)$`)
)

// controls are what only moves the cursor and sets the terminal up.
var controls = regexp.MustCompile("\x1b\\[[0-9;?]*[ -/]*[@-~]|\x1b[=>78]|\r")

// answer is what a person who means yes types at a question that stands at the end of what was printed.
func (q *events) answer(e event, typed, row, printed string) string {
	line := func(s string) string { return s + "\r" }
	switch {
	case e.Offers != "" && typed == e.Line: // whether to run what the model wants run
		return "n"
	case strings.Contains(row, "forget, replace or keep"):
		if e.Replaces != "" {
			return line("replace")
		}
		return line("forget")
	case strings.Contains(row, "all:") || strings.Contains(row, "numbers") && e.Replaces == "":
		return line("all")
	case strings.Contains(row, "which?"): // one of those that were shown
		for shown := range strings.Lines(printed) {
			if m := regexp.MustCompile(`[\[#](\d+)[\]:]`).FindStringSubmatch(shown); m != nil && strings.Contains(shown, e.Replaces) {
				return line(m[1])
			}
		}
		return line("1")
	case strings.Contains(row, "[y]"):
		return "y"
	case strings.Contains(row, "[yes]"):
		return line("yes")
	}
	return line("y")
}

// types types a line, and answers what is asked then.
func (q *events) types(e event, typed string) (said string) {
	q.t.Helper()
	q.x.Send(typed)
	q.x.AwaitRest(-1, func(row string) bool { return strings.HasSuffix(row, "]> "+typed) })
	from := q.x.Printed()
	q.x.Send("\r")
	return q.answers(e, typed, from)
}

// answers answers what is asked until the prompt stands there, or the program has ended, and gives what was printed after so much.
func (q *events) answers(e event, typed string, from int) (said string) {
	q.t.Helper()
	begin := from
	for range 20 {
		row, ok := q.x.AwaitRest(from, func(row string) bool { return prompts.MatchString(row) || asks.MatchString(row) })
		_, said, _ = strings.Cut(controls.ReplaceAllString(q.x.Raw()[begin:], ""), "\n")
		if !ok || prompts.MatchString(row) {
			return said[:strings.LastIndex(said, "\n")+1]
		}
		keys := q.answer(e, typed, row, said)
		wish := !strings.Contains(row, "never") && slices.Contains([]string{"remember", "forget", "change"}, e.Type)
		if keys != "n" {
			by := q.own
			if wish {
				by = q.wished
			}
			by[e.Day[:10]]++
			q.questions = append(q.questions, fmt.Sprintf("%s %q: %q: %q, own %t", e.Day[:10], typed, row, keys, !wish))
		}
		from = q.x.Printed()
		q.x.Send(keys)
	}
	q.t.Fatalf("%q: it asks and asks:\n%s", typed, said)
	return said
}

// remembered are the texts that are in force.
func (q *events) remembered(now string) string {
	return q.prints("kestrel", now, "", "memory", "list", "--json")
}

// counts counts whether something is as it should be.
func (q *events) counts(sort string, ok bool, e event, why string) {
	q.t.Helper()
	q.of[sort]++
	if ok {
		q.good[sort]++
	} else if why != "" {
		q.misses(e, sort+": "+why)
	}
}

// misses notes what is not as it should be.
func (q *events) misses(e event, why string) {
	q.missed = append(q.missed, fmt.Sprintf("%s %s %q: %s\n%s", e.Day[:10], e.Type, e.Line, why, q.said[e.Line]))
}

// breaks fails the test for what breaks a law.
func (q *events) breaks(what, how string) {
	q.t.Helper()
	q.broken[what] = true
	if faults[what] != "" {
		q.t.Logf("%q: %s: %s", what, how, faults[what])
		return
	}
	q.t.Errorf("%q: %s\n%s", what, how, q.said[what])
}

// texts is how many texts memory has.
func (q *events) texts() int {
	return len(slices.DeleteFunc(clitest.MemoryLines(q.t, q.dir), func(l map[string]any) bool { return l["content"] == nil }))
}

// has is whether a text says a phrase, as JSON has it.
func has(text, phrase string) bool {
	b, _ := json.Marshal(phrase)
	return strings.Contains(strings.ToLower(text), strings.ToLower(strings.Trim(string(b), `"`)))
}

// one plays one line.
func (q *events) one(e event) {
	q.t.Helper()
	before, own, requests := q.texts(), q.own[e.Day[:10]], len(q.model.Requests())
	said := q.types(e, e.Line)
	q.said[e.Line] = said
	if e.Instead != "" {
		offered := q.own[e.Day[:10]]
		said += q.types(e, e.Instead)
		q.said[e.Line] = said
		if lesson := q.own[e.Day[:10]] > offered || strings.Contains(said, "lesson"); e.Lesson {
			q.counts("lessons offered", lesson, e, "no lesson")
		} else if lesson {
			q.misses(e, "a lesson is offered")
		}
	}
	switch e.Type {
	case "nothing", "say":
		if q.texts() != before || q.own[e.Day[:10]] != own {
			q.misses(e, "kept, or asked about")
			if e.Type == "nothing" {
				q.breaks(e.Line, "kept, or asked about")
			}
		}
		q.counts(e.Type+", and nothing waits", !strings.Contains(said, "waits: :review"), e, "it waits for a yes")
	case "probe":
		sent := said
		if list := q.model.Requests(); len(list) > requests {
			msgs := list[len(list)-1].Messages()
			sent = msgs[0].Content + "\n" + msgs[len(msgs)-1].Content
			_, block, _ := strings.Cut(sent, "[background]")
			q.said[e.Line] += "it sends " + block
		}
		wrong := slices.DeleteFunc(slices.Clone(e.Not), func(s string) bool { return !has(sent, s) })
		q.counts("probes", has(sent, e.Want) && len(wrong) == 0, e, fmt.Sprintf("has %q %t, has %q", e.Want, has(sent, e.Want), wrong))
	}
}

// looks looks at what a conversation came to.
func (q *events) looks(list []event) {
	q.t.Helper()
	now := list[0].Day[:10] + "T20:00:00Z"
	texts := q.remembered(now)
	for _, e := range list {
		kept := e.Keep != "" && has(texts, e.Keep)
		if kept {
			q.kept[e.Keep] = true
		}
		switch e.Type {
		case "remember": // what the same conversation takes back was there
			back := slices.ContainsFunc(list, func(o event) bool { return o.Replaces == e.Keep })
			kept = kept || back && strings.Contains(q.said[e.Line], "remembered #")
			q.kept[e.Keep] = kept
			q.counts("kept", kept, e, "not kept")
		case "pass":
			q.counts("stated", kept || has(q.said[e.Line], "waits: :review"), e, "neither kept nor waiting")
		case "change":
			why := fmt.Sprintf("%q kept %t, %q still there %t", e.Keep, kept, e.Replaces, has(texts, e.Replaces))
			q.counts("changes", kept && !has(texts, e.Replaces), e, why)
			if q.kept[e.Replaces] || has(texts, e.Replaces) {
				q.counts("changes of what was kept", kept && !has(texts, e.Replaces), e, "")
			}
		case "end":
			q.counts("ends", !has(texts, e.Touches), e, fmt.Sprintf("%q is still there", e.Touches))
			if q.kept[e.Touches] {
				q.counts("ends of what was kept", !has(texts, e.Touches), e, "")
			}
		case "forget":
			q.gone = append(q.gone, e.Gone...)
			found := q.found(now, e.Gone)
			lost := slices.DeleteFunc(slices.Clone(e.Stays), func(s string) bool {
				return (has(texts, s) || !q.kept[s]) && len(q.found(now, []string{s})) > 0
			})
			q.counts("forgettings", len(found)+len(lost) == 0, e, fmt.Sprintf("found %q, lost %q", found, lost))
		}
	}
	for _, s := range q.found(now, q.gone) {
		q.breaks(s, now[:10]+": it is found, and is to be gone")
	}
}

// prints is what a command prints, in a place.
func (q *events) prints(dir, now, stdin string, args ...string) string {
	q.t.Helper()
	cmd := q.in(dir, now, args...)
	cmd.Stdin = strings.NewReader(stdin)
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		q.t.Fatalf("%q: %v\n%s%s", args, err, out, said.String())
	}
	return string(out)
}

// found are those of the phrases that anything finds, anywhere.
func (q *events) found(now string, phrases []string) (found []string) {
	q.t.Helper()
	if len(phrases) == 0 {
		return nil
	}
	var asked strings.Builder
	for _, s := range phrases {
		b, err := json.Marshal(map[string]string{"id": s, "query": s})
		if err != nil {
			q.t.Fatal(err)
		}
		asked.Write(append(b, '\n'))
	}
	all := q.prints("kestrel", now, "", "memory", "list", "--all", "--json")
	for _, dir := range []string{"kestrel", "plover", "attic"} {
		for _, in := range []string{"memory,sessions", "commands"} {
			for line := range strings.Lines(q.prints(dir, now, asked.String(), "recall", "--jsonl", "--in", in)) {
				_, hits, ok := strings.Cut(line, `"hits"`)
				if !ok {
					q.t.Fatalf("recall: %s", line)
				}
				all += hits
			}
		}
	}
	for _, s := range phrases {
		if has(all, s) {
			found = append(found, s)
		}
	}
	return found
}

// places are the directories of the person.
func (q *events) places() {
	q.t.Helper()
	clitest.Needs(q.t, "git")
	for _, name := range []string{"bin", "kestrel", "plover/dist", "attic/inbox"} {
		if err := os.MkdirAll(filepath.Join(q.dir, name), 0o700); err != nil {
			q.t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(q.dir, "bin", "pnpm"), []byte("#!/bin/sh\necho done\n"), 0o700); err != nil {
		q.t.Fatal(err)
	}
	for _, name := range []string{"kestrel", "plover"} {
		for _, args := range [][]string{
			{"init", "-q", "-b", "main"},
			{"remote", "add", "origin", "git@example.org:me/" + name + ".git"},
			{"-c", "user.name=m", "-c", "user.email=m@example.org", "commit", "-q", "--allow-empty", "-m", "begin " + name},
			{"checkout", "-q", "-b", "next"},
		} {
			cmd := proctest.Command(q.t, "git", args...)
			cmd.Dir = filepath.Join(q.dir, name)
			cmd.Env = append(cmd.Env, "HOME="+q.dir, "GIT_CONFIG_NOSYSTEM=1")
			if out, err := cmd.CombinedOutput(); err != nil {
				q.t.Fatalf("git %q: %v\n%s", args, err, out)
			}
		}
	}
}

// in is ken at a time, in one of the places.
func (q *events) in(dir, now string, args ...string) *exec.Cmd {
	cmd := q.at(now, args...)
	cmd.Dir = filepath.Join(q.dir, dir)
	cmd.Env = append(cmd.Env, "TZ=UTC")
	return cmd
}

// TestEventsOfAQuarter plays the quarter of one engineer on a terminal, once as it was written down, and once with a look at the
// end of each conversation at what waits. What ken asks is answered as who means it answers.
func TestEventsOfAQuarter(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile("testdata/quarter/events.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Events []event }
	if err := json.Unmarshal(b, &file); err != nil {
		t.Fatal(err)
	}
	for name, reviews := range map[string]bool{"as it is": false, "reviewed": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			q := &events{
				quarter: quarter{week{t: t, dir: t.TempDir(), model: llmtest.New(t)}}, list: file.Events, reviews: reviews,
				own: make(map[string]int), wished: make(map[string]int), kept: make(map[string]bool), broken: make(map[string]bool),
				good: make(map[string]int), of: make(map[string]int), said: make(map[string]string),
			}
			q.model.Reply(q.offers)
			q.places()
			for rest := q.list; len(rest) > 0; {
				n := slices.IndexFunc(rest, func(e event) bool { return e.Conversation != rest[0].Conversation })
				if n < 0 {
					n = len(rest)
				}
				q.talks(rest[:n])
				q.looks(rest[:n])
				rest = rest[n:]
			}
			q.tells()
		})
	}
}

// offers is the model, which has run what the person then refuses, and understands the rest.
func (q *events) offers(r llmtest.Request) llmtest.Script {
	list := r.Messages()
	for _, e := range q.list {
		if e.Offers != "" && strings.HasSuffix(list[len(list)-1].Content, e.Line) {
			return llmtest.Text("CMD: " + e.Offers + "\n")
		}
	}
	return llmtest.Text("Understood.")
}

// talks holds a conversation.
func (q *events) talks(list []event) {
	q.t.Helper()
	day := event{Day: list[0].Day}
	q.x = clitest.On(q.t, ttytest.OpenSized(q.t, q.in(list[0].Dir, day.Day), 60, 220))
	q.answers(day, "", 0)
	for _, e := range list {
		q.one(e)
	}
	if q.reviews {
		day.Type = "remember"
		q.types(day, ":review")
	}
	q.types(day, ":quit")
	if code := q.x.Exit(); code != 0 {
		q.t.Errorf("%s: exit code %d", day.Day, code)
	}
}

// tells tells what came of it, and fails for what is below what it was.
func (q *events) tells() {
	q.t.Helper()
	q.t.Log("what was asked:\n" + strings.Join(q.questions, "\n"))
	q.t.Log("what is not as it should be:\n" + strings.Join(q.missed, "\n"))
	for what := range faults {
		if !q.broken[what] {
			q.t.Logf("%q is mended: it is no fault any more", what)
		}
	}
	var table strings.Builder
	for _, sort := range slices.Sorted(maps.Keys(q.of)) {
		fmt.Fprintf(&table, "%-28s %2d of %2d\n", sort, q.good[sort], q.of[sort])
		if q.good[sort] < floors[sort] {
			q.t.Errorf("%s: %d of %d, want %d", sort, q.good[sort], q.of[sort], floors[sort])
		}
	}
	days, most, own, wished := make(map[string]bool), 0, 0, 0
	for _, e := range q.list {
		days[e.Day[:10]] = true
	}
	for day := range days {
		if n := q.own[day]; n > 2 {
			q.t.Errorf("%s: %d questions of ken's own accord", day, n)
		}
		most, own, wished = max(most, q.own[day]), own+q.own[day], wished+q.wished[day]
	}
	q.t.Logf("the quarter:\n%squestions of ken's own: %d on %d days, at most %d a day, %.2f in the mean; at a wish: %d",
		table.String(), own, len(days), most, float64(own)/float64(len(days)), wished)
}
