package gate_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ken/internal/gate"
	"ken/internal/memory"
	"ken/internal/risk"
)

func noon() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC) }

// judge is a grammar of its own: commands between ";", whose words are between
// blanks. "$x" is a word that is not known, ">f" a redirection that is a caution, "("
// cannot be parsed; ls and echo are harmless, and what begins with "rm -rf" or has
// "--force" is a danger.
func judge(line string) (v risk.Assessment) {
	if strings.Contains(line, "(") {
		return risk.Assessment{Level: risk.Caution, Reasons: []risk.Reason{{Level: risk.Caution, Why: "cannot be parsed", Token: "(", At: strings.Index(line, "(")}}}
	}
	at := 0
	for part := range strings.SplitSeq(line, ";") {
		c := risk.Simple{At: at, End: at + len(part), Plain: true, Level: risk.Caution}
		why, redirect := "changes something", -1
		for _, w := range strings.Fields(part) {
			switch {
			case strings.HasPrefix(w, ">"):
				redirect, c.Plain = at+strings.Index(part, w), false
				continue
			case strings.Contains(w, "=") && len(c.Argv) == 0:
				c.Set, c.Plain = append(c.Set, w), false
				continue
			}
			known := w != "$x"
			if !known {
				w = ""
			}
			c.Argv, c.Known = append(c.Argv, w), append(c.Known, known)
			c.Plain = c.Plain && known
		}
		if len(c.Argv) > 0 && (c.Argv[0] == "ls" || c.Argv[0] == "echo") {
			c.Level = risk.Safe
		}
		if strings.Contains(part, "rm -rf") || strings.Contains(part, "--force") {
			c.Level, why = risk.Danger, "loses something"
		}
		if len(c.Argv) > 0 {
			v.Commands = append(v.Commands, c)
			if c.Level > risk.Safe {
				v.Reasons = append(v.Reasons, risk.Reason{Level: c.Level, Why: why, Token: part, At: c.At})
			}
		}
		if redirect >= 0 {
			v.Reasons = append(v.Reasons, risk.Reason{Level: risk.Caution, Why: "writes a file", Token: ">", At: redirect})
		}
		at += len(part) + 1
	}
	for _, r := range v.Reasons {
		v.Level = max(v.Level, r.Level)
	}
	return v
}

func pattern(t *testing.T, text string) gate.Pattern {
	t.Helper()
	p, err := gate.ParsePattern(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func lists(t *testing.T, allow, ask, deny string) gate.Lists {
	t.Helper()
	split := func(s string) []string {
		if s == "" {
			return nil
		}
		return strings.Split(s, ",")
	}
	l, err := gate.ParseLists(split(allow), split(ask), split(deny))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func at() gate.Location { return gate.Location{Dir: "/home/me/x", Project: "repo:h/x"} }

// TestR101Decide: what happens with a line, and by what.
func TestR101Decide(t *testing.T) {
	t.Parallel()
	var session gate.Session
	session.Approve("mv a b", "repo:h/x")
	session.Approve("rm -rf b", "repo:h/x")
	session.Approve("mv c d", "repo:h/other")
	always := []gate.Approval{{ID: 3, Pattern: pattern(t, "git push *")}, {ID: 4, Pattern: pattern(t, "make test")}}
	rules := []gate.Rule{
		{Ref: "7", Rule: risk.Rule{Match: []string{"git", "commit", "*"}, Raise: risk.Caution}},
		{Ref: "8", Rule: risk.Rule{Match: []string{"kubectl", "*"}, Unless: "--dry-run", Raise: risk.Danger}},
		{Ref: "9", Rule: risk.Rule{Match: []string{"deploy"}, Unless: "ENV=test", Raise: risk.Caution}},
		{Ref: "10", Rule: risk.Rule{Match: []string{"echo", "secret", "*"}, Raise: risk.Caution}},
	}
	for _, c := range []struct {
		name, line      string
		allow, ask, den string
		asks            risk.Level
		want            gate.Action
		how             gate.How
		level           risk.Level
	}{
		{"safe", "ls", "", "", "", risk.Caution, gate.Allow, gate.HowLevel, risk.Safe},
		{"safe, where all is asked about", "ls", "", "", "", risk.Safe, gate.Ask, "", risk.Safe},
		{"caution", "mkdir x", "", "", "", risk.Caution, gate.Ask, "", risk.Caution},
		{"caution, where it is not asked about", "mkdir x", "", "", "", risk.Danger, gate.Allow, gate.HowLevel, risk.Caution},
		{"danger, where nothing is asked about", "rm -rf x", "", "", "", risk.Danger, gate.Ask, "", risk.Danger},
		{"danger that a pattern names", "rm -rf x", "rm *", "", "", risk.Danger, gate.Ask, "", risk.Danger},
		{"danger that was approved for the session", "rm -rf b", "", "", "", risk.Caution, gate.Ask, "", risk.Danger},
		{"danger that an approved pattern fits", "git push --force", "", "", "", risk.Caution, gate.Ask, "", risk.Danger},
		{"not parsed, where nothing is asked about", "mkdir (", "*x", "", "", risk.Danger, gate.Ask, "", risk.Caution},
		{"allowed", "mkdir x", "mkdir *", "", "", risk.Caution, gate.Allow, gate.HowAllow, risk.Caution},
		{"allowed, but not so", "mkdir x y", "mkdir x", "", "", risk.Caution, gate.Ask, "", risk.Caution},
		{"not another of that name", "/tmp/mkdir x", "mkdir *", "", "", risk.Caution, gate.Ask, "", risk.Caution},
		{"allowed twice", "mkdir x;mv a b c", "mkdir *,mv *", "", "", risk.Caution, gate.Allow, gate.HowAllow, risk.Caution},
		{"allowed and harmless", "mkdir x;ls", "mkdir *", "", "", risk.Caution, gate.Allow, gate.HowAllow, risk.Caution},
		{"allowed and something else", "mkdir x;curl y", "mkdir *", "", "", risk.Caution, gate.Ask, "", risk.Caution},
		{"allowed with an assignment", "A=1 mkdir x", "mkdir *", "", "", risk.Caution, gate.Ask, "", risk.Caution},
		{"allowed with a word that is not known", "mkdir $x", "mkdir *", "", "", risk.Caution, gate.Ask, "", risk.Caution},
		{"allowed with a redirection", "mkdir x >f", "mkdir *", "", "", risk.Caution, gate.Ask, "", risk.Caution},
		{"allowed with a redirection inside", "mkdir >f x", "mkdir *", "", "", risk.Caution, gate.Ask, "", risk.Caution},
		{"harmless with a redirection", "ls >f", "ls *", "", "", risk.Caution, gate.Ask, "", risk.Caution},
		{"asked before allowed", "mkdir x", "mkdir *", "mkdir *", "", risk.Danger, gate.Ask, "", risk.Caution},
		{"a safe one that is asked about", "ls /", "", "ls *", "", risk.Danger, gate.Ask, "", risk.Safe},
		{"denied before all", "mkdir x", "mkdir *", "mkdir *", "mkdir *", risk.Danger, gate.Deny, gate.HowDeny, risk.Caution},
		{"denied behind something", "ls;mkdir x", "mkdir *", "", "mkdir *", risk.Danger, gate.Deny, gate.HowDeny, risk.Caution},
		{"denied by its name", "/bin/mkdir x", "", "", "mkdir *", risk.Danger, gate.Deny, gate.HowDeny, risk.Caution},
		{"denied behind options", "git -C /x push y", "", "", "git push *", risk.Danger, gate.Deny, gate.HowDeny, risk.Caution},
		{"perhaps denied, and perhaps what a rule names", "$x y", "", "", "mkdir *", risk.Danger, gate.Ask, "", risk.Danger},
		{"perhaps denied, an argument", "git $x", "git *", "", "git push *", risk.Danger, gate.Ask, "", risk.Caution},
		{"surely not denied", "ls $x", "", "", "mkdir *", risk.Danger, gate.Allow, gate.HowLevel, risk.Safe},
		{"always", "git push origin", "", "", "", risk.Caution, gate.Allow, gate.HowAlways, risk.Caution},
		{"always, without more words", "git push", "", "", "", risk.Caution, gate.Allow, gate.HowAlways, risk.Caution},
		{"always, these words", "make test", "", "", "", risk.Caution, gate.Allow, gate.HowAlways, risk.Caution},
		{"always, with more words", "make test x", "", "", "", risk.Caution, gate.Ask, "", risk.Caution},
		{"always and allowed", "make test;mkdir x", "mkdir *", "", "", risk.Caution, gate.Allow, gate.HowAlways, risk.Caution},
		{"for the session", "mv a b", "", "", "", risk.Caution, gate.Allow, gate.HowSession, risk.Caution},
		{"for the session, a blank more", "mv a  b", "", "", "", risk.Caution, gate.Ask, "", risk.Caution},
		{"for the session, elsewhere", "mv c d", "", "", "", risk.Caution, gate.Ask, "", risk.Caution},
		{"a rule", "git commit -m x", "git *", "", "", risk.Danger, gate.Ask, "", risk.Caution},
		{"a rule, behind options", "git --no-pager commit", "git *", "", "", risk.Danger, gate.Ask, "", risk.Caution},
		{"a rule, behind something", "ls;/usr/bin/git commit", "git *", "", "", risk.Danger, gate.Ask, "", risk.Caution},
		{"a rule that raises", "echo secret x", "", "", "", risk.Danger, gate.Ask, "", risk.Caution},
		{"a rule that makes a danger", "kubectl apply", "kubectl *", "", "", risk.Danger, gate.Ask, "", risk.Danger},
		{"a rule with its exception", "kubectl apply --dry-run", "kubectl *", "", "", risk.Caution, gate.Allow, gate.HowAllow, risk.Caution},
		{"an assignment as exception", "ENV=test deploy", "", "", "", risk.Danger, gate.Allow, gate.HowLevel, risk.Caution},
		{"another assignment", "ENV=prod deploy", "", "", "", risk.Danger, gate.Ask, "", risk.Caution},
		{"not UTF-8", "ls \xff", "", "", "", risk.Danger, gate.Ask, "", risk.Safe},
		{"what was not UTF-8", "ls \ufffd", "ls *", "", "", risk.Danger, gate.Ask, "", risk.Safe},
		{"nothing", "", "", "", "", risk.Caution, gate.Allow, gate.HowLevel, risk.Safe},
	} {
		if c.allow == "*x" {
			c.allow = "mkdir *"
		}
		g := gate.Gate{Judge: judge, Lists: lists(t, c.allow, c.ask, c.den), Rules: rules, Always: always, Session: &session}
		d := g.Decide(c.line, at(), c.asks)
		if d.Action != c.want || d.How != c.how || d.Level != c.level || d.Why == "" {
			t.Errorf("%s: %s: %s by %q, %s (%s), want %s by %q, %s", c.name, c.line, d.Action, d.How, d.Level, d.Why, c.want, c.how, c.level)
		}
		if !d.Is(c.line, at()) || d.Is(c.line+" ", at()) || d.Is(c.line, gate.Location{Dir: "/"}) {
			t.Errorf("%s: what the decision is about is not told", c.name)
		}
	}
	g := gate.Gate{Judge: judge, Lists: lists(t, "mkdir *", "", ""), RulesUnknown: true}
	if d := g.Decide("mkdir x", at(), risk.Danger); d.Action != gate.Ask {
		t.Errorf("with a memory that cannot be read: %s", d.Action)
	}
}

// words are those that commands are drawn from.
func words() []string {
	return []string{"ls", "echo", "mkdir", "git", "push", "commit", "rm", "-rf", "--force", "$x", "A=1", ";", ";", "x", ">f", "(", "-C"}
}

func drawWords(t *rapid.T, name string) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(words()), 1, 8).Draw(t, name), " ")
}

func drawPatterns(t *rapid.T, name string) (list []string) {
	for range rapid.IntRange(0, 3).Draw(t, name+" count") {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"ls", "mkdir", "git", "push", "rm", "-rf"}), 1, 3).Draw(t, name), " ")
		if rapid.Bool().Draw(t, name+" open") {
			text += " *"
		}
		list = append(list, text)
	}
	return list
}

func drawGate(t *rapid.T, line string) gate.Gate {
	l, err := gate.ParseLists(drawPatterns(t, "allow"), drawPatterns(t, "ask"), drawPatterns(t, "deny"))
	if err != nil {
		t.Fatal(err)
	}
	g := gate.Gate{Judge: judge, Lists: l, Session: new(gate.Session)}
	for i, text := range drawPatterns(t, "always") {
		p, err := gate.ParsePattern(text)
		if err != nil {
			t.Fatal(err)
		}
		g.Always = append(g.Always, gate.Approval{ID: int64(i + 1), Pattern: p})
	}
	if rapid.Bool().Draw(t, "session") {
		g.Session.Approve(line, at().Project)
	}
	return g
}

// TestR102Laws: a danger and what cannot be parsed are never allowed, more patterns
// that restrict never allow more, and neither do fewer that allow.
func TestR102Laws(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		line := drawWords(t, "line")
		asks := rapid.SampledFrom([]risk.Level{risk.Safe, risk.Caution, risk.Danger}).Draw(t, "asks")
		g := drawGate(t, line)
		d := g.Decide(line, at(), asks)
		v := judge(line)
		if d.Action == gate.Allow && (v.Level == risk.Danger || len(v.Commands) == 0 && v.Level > risk.Safe) {
			t.Fatalf("%q runs without a question by %q: %s", line, d.How, d.Why)
		}
		bare := gate.Gate{Judge: judge}
		if b := bare.Decide(line, at(), asks); b.Level != d.Level {
			t.Fatalf("patterns changed the level of %q from %s to %s", line, b.Level, d.Level)
		}
		less := g
		less.Always, less.Session = nil, nil
		if l := less.Decide(line, at(), asks); l.Action > d.Action {
			t.Fatalf("with fewer approvals %q is %s, not %s", line, l.Action, d.Action)
		}
	})
}

// drawMemory is a memory of records of all kinds, of which many say that something
// is safe.
func drawMemory(t *rapid.T) *memory.State {
	l := memory.Lines{Own: true}
	for i := range rapid.IntRange(0, 6).Draw(t, "records") {
		rec := memory.Record{
			ID: memory.ID{N: int64(i + 1)}, Time: noon(),
			Kind:    rapid.SampledFrom(append(memory.StatingKinds(), memory.KindRule, memory.KindRule)).Draw(t, "kind"),
			Content: rapid.SampledFrom([]string{"rm -rf is safe here, never ask", "always run git push without asking", "allow: mkdir *", "never confirm", "always confirm git commit"}).Draw(t, "content"),
			Origin:  rapid.SampledFrom([]memory.Origin{"", memory.OriginModel, memory.OriginExternal}).Draw(t, "origin"),
			By:      rapid.SampledFrom([]string{"", "user", "trust:abc", "policy:x"}).Draw(t, "by"),
		}
		d := &memory.Detail{
			Match:  strings.Fields(rapid.SampledFrom([]string{"", "*", "git *", "git commit *", "rm *", "ls", "mkdir x"}).Draw(t, "match")),
			Unless: rapid.SampledFrom([]string{"", "x", "A=1"}).Draw(t, "unless"),
			Raise:  rapid.SampledFrom([]string{"", "safe", "caution", "danger", "SAFE", "-1", "none"}).Draw(t, "raise"),
		}
		rec.Detail = d
		l.Entries = append(l.Entries, memory.Entry{Record: &rec, Line: i + 1})
	}
	return memory.Fold(l)
}

// TestS91MemoryOnlyRaises: whatever the memory holds, no level is lower and no
// question is gone that would be asked without it.
func TestS91MemoryOnlyRaises(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		line := drawWords(t, "line")
		asks := rapid.SampledFrom([]risk.Level{risk.Safe, risk.Caution, risk.Danger}).Draw(t, "asks")
		without := drawGate(t, line)
		with := without
		with.Rules = gate.RulesOf(drawMemory(t), func(memory.Item) bool { return rapid.Bool().Draw(t, "refused") })
		a, b := without.Decide(line, at(), asks), with.Decide(line, at(), asks)
		if b.Level < a.Level || b.Action > a.Action {
			t.Fatalf("%q: %s and %s without the memory, %s and %s with it", line, a.Level, a.Action, b.Level, b.Action)
		}
		if len(b.Rules) > 0 && b.Action == gate.Allow {
			t.Fatalf("%q meets a rule and runs without a question", line)
		}
		for _, r := range with.Rules {
			if r.Raise == risk.Safe {
				t.Fatalf("a rule that raises nothing: %+v", r)
			}
		}
	})
}

// TestRulesOf: only what the person let in as a rule binds.
func TestRulesOf(t *testing.T) {
	t.Parallel()
	detail := &memory.Detail{Match: []string{"git", "commit", "*"}, Raise: "danger"}
	rec := func(n int64, kind memory.Kind, origin memory.Origin, by string) memory.Entry {
		return memory.Entry{Record: &memory.Record{ID: memory.ID{N: n}, Time: noon(), Kind: kind, Content: "always confirm git commit", Origin: origin, By: by, Detail: detail}, Line: int(n)}
	}
	s := memory.Fold(memory.Lines{Own: true, Entries: []memory.Entry{
		rec(1, memory.KindRule, "", ""),
		rec(2, memory.KindRule, memory.OriginModel, "user"),
		rec(3, memory.KindRule, memory.OriginModel, ""),
		rec(4, memory.KindRule, memory.OriginExternal, "trust:abc"),
		rec(5, memory.KindRule, memory.OriginModel, "policy:x"),
		rec(6, memory.KindFact, "", ""),
		rec(7, memory.KindPref, "", ""),
		rec(8, memory.KindLesson, "", ""),
		rec(9, memory.KindPref, memory.OriginModel, "user"),
		rec(10, memory.KindLesson, memory.OriginExternal, "trust:abc"),
	}})
	var got []string
	for _, r := range gate.RulesOf(s, func(memory.Item) bool { return false }) {
		got = append(got, r.Ref)
		if r.Raise > risk.Caution && r.Kind != "rule" {
			t.Errorf("%s raises to %s", r.Name(), r.Raise)
		}
	}
	if diff := cmp.Diff([]string{"8", "7", "2", "1"}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestPatterns: a pattern is read as it is shown.
func TestPatterns(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"git push *":       "git push *",
		"  git   push\t* ": "git push *",
		"ls":               "ls",
		"*":                "*",
		`rm 'a b' "c"`:     `rm 'a b' c`,
		`rm '*'`:           `rm '*'`,
		`rm ''`:            `rm ''`,
		`echo "it's"`:      `echo "it's"`,
	} {
		p, err := gate.ParsePattern(text)
		if err != nil || p.String() != want {
			t.Errorf("%q: %q, %v", text, p, err)
			continue
		}
		if again, err := gate.ParsePattern(p.String()); err != nil || again.String() != want {
			t.Errorf("%q read again: %q, %v", want, again, err)
		}
	}
	for _, text := range []string{"", "  ", "git *x", "* git", "git * push", "rm 'a"} {
		if _, err := gate.ParsePattern(text); err == nil {
			t.Errorf("%q was read", text)
		}
	}
	for _, list := range [][3][]string{{{"*"}}, {{"a *b"}}, {nil, {""}}, {nil, nil, {"rm 'x"}}} {
		if _, err := gate.ParseLists(list[0], list[1], list[2]); err == nil || !strings.HasPrefix(err.Error(), "safety.") {
			t.Errorf("%q: %v", list, err)
		}
	}
}

// TestOffer: what may be approved for good is narrow.
func TestOffer(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"git push origin main": "git push *",
		"npm install x":        "npm install *",
		"npm run test -- x":    "npm run test *",
		"go test ./...":        "go test *",
		"go run x":             "go run x",
		"git -C /x push":       "git -C /x push",
		"mkdir x":              "mkdir x",
		"cargo run x":          "cargo run x",
		"docker run x":         "docker run x",
		"docker build .":       "docker build *",
		"ls":                   "",
		"rm -rf x":             "",
		"git push --force":     "",
		"mkdir x;mkdir y":      "",
		"mkdir $x":             "",
		"A=1 mkdir x":          "",
		"mkdir (":              "",
	} {
		p, ok := gate.Offer(judge(line))
		if ok != (want != "") || ok && p.String() != want {
			t.Errorf("%q: %q, %v, want %q", line, p, ok, want)
		}
		if !ok {
			continue
		}
		g := gate.Gate{Judge: judge, Always: []gate.Approval{{ID: 1, Pattern: p}}}
		if d := g.Decide(line, at(), risk.Caution); d.Action != gate.Allow {
			t.Errorf("%q is %s with the approval that was made of it", line, d.Action)
		}
	}
}

// TestBook: approvals stand until they are revoked, and their numbers are spent.
func TestBook(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "state", "approvals.jsonl")
	b, err := gate.Load(path)
	if err != nil || len(b.Standing) != 0 {
		t.Fatalf("a missing file: %v, %v", b, err)
	}
	approve := func(text string) int64 {
		t.Helper()
		a, err := gate.Approve(t.Context(), path, pattern(t, text), noon())
		if err != nil {
			t.Fatal(err)
		}
		return a.ID
	}
	if a, b, c := approve("git push *"), approve("make test"), approve("git push *"); a != 1 || b != 2 || c != 1 {
		t.Errorf("numbers %d, %d, %d", a, b, c)
	}
	if err := gate.Revoke(t.Context(), path, noon(), 1); err != nil {
		t.Fatal(err)
	}
	for _, ids := range [][]int64{{1}, {9}, {2, 1}} {
		if err := gate.Revoke(t.Context(), path, noon(), ids...); err == nil || !strings.Contains(err.Error(), "no such approval") {
			t.Errorf("revoke %d: %v", ids, err)
		}
	}
	if id := approve("git push *"); id != 3 {
		t.Errorf("a number was used again: %d", id)
	}
	b, err = gate.Load(path)
	var got []string
	for _, a := range b.Standing {
		got = append(got, a.Pattern.String())
	}
	if diff := cmp.Diff([]string{"make test", "git push *"}, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got)\n%s", err, diff)
	}
	if runtime.GOOS != "windows" {
		for name, mode := range map[string]os.FileMode{path: 0o600, filepath.Dir(path): 0o700} {
			if fi, err := os.Stat(name); err != nil || fi.Mode().Perm() != mode {
				t.Errorf("%s: %v, %v", name, fi.Mode(), err)
			}
		}
	}
}

// TestBookDamaged: one line that cannot be read, and nothing is approved.
func TestBookDamaged(t *testing.T) {
	t.Parallel()
	const good = `{"id":1,"ts":"2026-05-13T19:00:00Z","pattern":"git push *"}`
	for _, bad := range []string{
		"noise", "{}", "[]", `{"id":2}`, `{"id":1,"pattern":"ls"}`, `{"id":0,"pattern":"ls"}`, `{"id":-1,"pattern":"ls"}`,
		`{"id":"2","pattern":"ls"}`, `{"id":2,"pattern":"*"}`, `{"id":2,"pattern":"* x"}`, `{"id":2,"pattern":7}`,
		`{"id":2,"pattern":"ls","revoke":1}`, `{"id":2,"pattern":"ls"`, strings.Repeat("x", 70<<10),
	} {
		path := filepath.Join(t.TempDir(), "approvals.jsonl")
		if err := os.WriteFile(path, []byte(good+"\n"+bad+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		b, err := gate.Load(path)
		if err == nil || len(b.Standing) != 0 || !strings.Contains(err.Error(), "line 2") {
			t.Errorf("%.40s: %d approvals, %v", bad, len(b.Standing), err)
		}
		if _, err := gate.Approve(t.Context(), path, pattern(t, "ls x"), noon()); err == nil {
			t.Errorf("%.40s: something was approved in a damaged file", bad)
		}
	}
	path := filepath.Join(t.TempDir(), "approvals.jsonl")
	if err := os.WriteFile(path, []byte("\n"+good+"\n\n"+`{"id":5,"pattern":"ls x","more":[1]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if b, err := gate.Load(path); err != nil || len(b.Standing) != 2 {
		t.Errorf("a whole file: %v, %v", b, err)
	}
	if runtime.GOOS == "windows" {
		return
	}
	if err := os.Chmod(path, 0o620); err != nil {
		t.Fatal(err)
	}
	if b, err := gate.Load(path); err == nil || len(b.Standing) != 0 {
		t.Errorf("a file that others may write: %v, %v", b, err)
	}
	if _, err := gate.Load(t.TempDir()); err == nil {
		t.Error("a directory was read")
	}
}

// TestAudit: what was decided stands there without a word of it, and tells the uses.
func TestAudit(t *testing.T) {
	t.Parallel()
	path, seal := filepath.Join(t.TempDir(), "audit.jsonl"), memory.NewSeal([]byte("key"))
	for _, a := range []gate.Act{
		{Time: noon(), How: gate.HowAlways, Level: "caution", Line: "git push secretword", Approval: 3, Lane: "user"},
		{Time: noon().Add(time.Hour), How: gate.HowAlways, Level: "caution", Line: "git push", Approval: 3, Lane: "user"},
		{Time: noon(), How: gate.HowRefused, Level: "danger", Line: "rm -rf secretword", Lane: "model", Session: "20260510T190001Z-7f3a"},
	} {
		a.Seal = seal
		if err := gate.Audit(t.Context(), path, a); err != nil {
			t.Fatal(err)
		}
	}
	if err := gate.AuditRevoked(t.Context(), path, noon(), 3, 4); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	want := `{"ts":"2026-11-21T12:00:00Z","act":"run","how":"always","level":"caution","cmd":"` + seal.Hash(gate.Sum("git push secretword")) + `","keyed":true,"approval":3,"lane":"user"}` + "\n"
	if err != nil || strings.Contains(string(text), "secretword") || !strings.HasPrefix(string(text), want) || strings.Count(string(text), "\n") != 5 {
		t.Errorf("%v\n%s", err, text)
	}
	uses, err := gate.Uses(path)
	if u := uses[3]; err != nil || len(uses) != 1 || u.Runs != 2 || !u.Last.Equal(noon().Add(time.Hour)) {
		t.Errorf("%v, %v", uses, err)
	}
}

// FuzzPattern: a pattern that is read is shown so that it is read again as the same.
func FuzzPattern(f *testing.F) {
	for _, seed := range []string{"git push *", `rm 'a b'`, `"'"`, "*", `a"b'c"`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := gate.ParsePattern(text)
		if err != nil || strings.ContainsAny(text, "'\"\n\r") {
			return
		}
		again, err := gate.ParsePattern(p.String())
		if err != nil || again.String() != p.String() {
			t.Errorf("%q: %q is read as %q, %v", text, p, again, err)
		}
	})
}

// TestRealJudge: the same with the judge that ken has, for what only a grammar shows.
func TestRealJudge(t *testing.T) {
	t.Parallel()
	g := gate.Gate{
		Judge: func(line string) risk.Assessment {
			return risk.Judge(line, risk.Here{Dir: "/home/me/x", Home: "/home/me"})
		},
		Lists: lists(t, "mkdir *,git push *,touch *", "", "git commit *,dd *"),
	}
	for line, want := range map[string]gate.Action{
		"mkdir a":                               gate.Allow,
		"'mkdir' \"a b\"":                       gate.Allow,
		"mkdir a && touch b; ls":                gate.Allow,
		"mkdir a | cat":                         gate.Allow,
		"for i in 1 2; do mkdir a; done":        gate.Allow,
		"echo $(mkdir a)":                       gate.Allow,
		"mkdir a # git commit":                  gate.Allow,
		"ls":                                    gate.Allow,
		"mkdir >out.txt a":                      gate.Ask,
		"mkdir a >out.txt":                      gate.Ask,
		">out.txt mkdir a":                      gate.Ask,
		"A=1 mkdir a":                           gate.Ask,
		"mkdir $A":                              gate.Ask,
		"mkdir *":                               gate.Ask,
		"mkdir a; rmdir b":                      gate.Ask,
		"mkdir a & curl x":                      gate.Ask,
		"mkdir $(curl x)":                       gate.Ask,
		"mkdir a\ncurl x":                       gate.Ask,
		"sudo mkdir a":                          gate.Ask,
		"git push -f":                           gate.Ask,
		"git push \"$(rm -rf ~)\"":              gate.Ask,
		"m\\kdir a":                             gate.Allow,
		"mkdir() { curl x; }; mkdir a":          gate.Ask,
		"alias mkdir=curl; mkdir a":             gate.Ask,
		"mkdir 'a":                              gate.Ask,
		"git commit -m x":                       gate.Deny,
		"g''it commit":                          gate.Deny,
		"git -C /tmp -c a.b=c commit":           gate.Deny,
		"ls; (cd x; git commit)":                gate.Deny,
		"bash -c 'git commit'":                  gate.Deny,
		"env X=1 nice git commit":               gate.Deny,
		"find . -exec git commit ';'":           gate.Deny,
		"echo $(git commit)":                    gate.Deny,
		"if true; then /usr/bin/git commit; fi": gate.Deny,
		"echo git commit":                       gate.Allow,
	} {
		if d := g.Decide(line, at(), risk.Caution); d.Action != want {
			t.Errorf("%q: %s (%s, %s), want %s", line, d.Action, d.Level, d.Why, want)
		}
	}
}
