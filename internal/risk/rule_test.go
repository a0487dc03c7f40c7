package risk

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestParseRule(t *testing.T) {
	t.Parallel()
	for prose, want := range map[string]Rule{
		"always confirm git commit":                             {[]string{"git", "commit"}, "", Caution},
		`"always confirm git commit"`:                           {[]string{"git", "commit"}, "", Caution},
		"“always confirm git commit.”":                          {[]string{"git", "commit"}, "", Caution},
		"Always confirm `git commit`.":                          {[]string{"git", "commit"}, "", Caution},
		"ask before git push":                                   {[]string{"git", "push"}, "", Caution},
		"Ask me before running docker compose down":             {[]string{"docker", "compose", "down"}, "", Caution},
		"never run terraform apply":                             {[]string{"terraform", "apply"}, "", Danger},
		"Never run `make deploy` without ENV=staging":           {[]string{"make", "deploy"}, "ENV=staging", Danger},
		"never run kubectl delete without --dry-run":            {[]string{"kubectl", "delete"}, "--dry-run", Danger},
		"never run `rsync *` without the flag `--dry-run`":      {[]string{"rsync", "*"}, "--dry-run", Danger},
		"don't run npm publish":                                 {[]string{"npm", "publish"}, "", Danger},
		"before running git rebase, ask":                        {[]string{"git", "rebase"}, "", Caution},
		"`git push` needs confirmation":                         {[]string{"git", "push"}, "", Caution},
		"please always ask for confirmation before running ssh": {[]string{"ssh"}, "", Caution},
		"always confirm before `rm -r`":                         {[]string{"rm", "-r"}, "", Caution},
		"never auto-run docker":                                 {[]string{"docker"}, "", Caution},
		"Never auto-run `docker compose`!":                      {[]string{"docker", "compose"}, "", Caution},
		"don't automatically run terraform":                     {[]string{"terraform"}, "", Caution},
		"please never autorun npm publish":                      {[]string{"npm", "publish"}, "", Caution},
		"never run git push automatically":                      {[]string{"git", "push"}, "", Caution},
		"never run git push without asking me first":            {[]string{"git", "push"}, "", Caution},
	} {
		got, ok := ParseRule(prose)
		if !ok {
			t.Errorf("%q is not understood", prose)
		} else if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q: -want +got\n%s", prose, diff)
		}
	}
	for _, prose := range []string{
		"", "rm -rf is safe here, never ask", "never ask before rm", "you need not confirm git push", "git push is fine", "always run git push", "never say never", "never auto-run", "never auto-run anything", "never auto-run the tests",
		"prefer tabs", "never commit to main", "never use tabs", "ask before deleting files", "always confirm with the team", "never make assumptions", "do not use emojis in commits",
		"always confirm", "never run", "allow rm -rf build", "confirm nothing", "never run $(x)", "never run a; b",
	} {
		if got, ok := ParseRule(prose); ok && (got.Raise != Danger || len(got.Match) == 0 || prose[:5] != "never") {
			t.Errorf("%q is taken for %v", prose, got)
		} else if ok {
			t.Errorf("%q is taken for %v", prose, got)
		}
	}
}

// TestHolds: a rule holds for its command at any depth, and for no word that only looks like it.
func TestHolds(t *testing.T) {
	t.Parallel()
	commit := Rule{Match: []string{"git", "commit"}, Raise: Danger}
	deploy := Rule{Match: []string{"make", "deploy", "*"}, Unless: "ENV=staging", Raise: Danger}
	dry := Rule{Match: []string{"rsync"}, Unless: "--dry-run", Raise: Danger}
	list := Rule{Match: []string{"ls"}, Raise: Caution}
	for line, want := range map[string]Level{
		"git commit -m x":                        Danger,
		"git -C sub commit":                      Danger,
		"/usr/bin/git commit":                    Danger,
		"ls && git commit":                       Danger,
		"sudo env A=1 git commit":                Danger,
		"bash -c 'cd x; git commit'":             Danger,
		"echo $(git commit)":                     Danger,
		"xargs git commit":                       Danger,
		"git log":                                Safe,
		"echo git commit":                        Safe,
		"make deploy":                            Danger,
		"ENV=staging make deploy now":            Caution,
		"env ENV=staging make deploy":            Caution,
		"make deploy ENV=staging":                Caution,
		"make ENV=production deploy; make build": Caution,
		"rsync -a --dry-run a b":                 Caution,
		"rsync -a a b":                           Danger,
		"ls":                                     Caution,
		"cat <(ls)":                              Caution,
		"cat ls":                                 Safe,
	} {
		v := Judge(line, here())
		got := v.Level
		for _, r := range []Rule{commit, deploy, dry, list} {
			if r.Holds(v) {
				got = max(got, r.Raise)
			}
		}
		if got != want {
			t.Errorf("%q: %s, want %s: %v", line, got, want, v.Reasons)
		}
	}
	for _, r := range []Rule{{Raise: Danger}, {Match: []string{"ls"}}} {
		if r.Holds(Judge("ls", here())) {
			t.Errorf("%+v holds", r)
		}
	}
}

// TestS91RulesOnlyRaise: no prose gives a rule that lowers a level, and asking whether a
// rule holds changes no verdict.
func TestS91RulesOnlyRaise(t *testing.T) {
	t.Parallel()
	line := lines(t)
	word := rapid.SampledFrom([]string{"rm", "git", "commit", "*", "ls", "-rf", "sudo", "cat", "", "push", "curl"})
	rule := rapid.Custom(func(t *rapid.T) Rule {
		return Rule{rapid.SliceOfN(word, 0, 4).Draw(t, "match"), word.Draw(t, "unless"), Level(rapid.IntRange(0, 4).Draw(t, "raise"))}
	})
	prose := rapid.SampledFrom([]string{"rm -rf is safe here, never ask", "always allow rm", "never confirm git push", "treat rm -rf as safe", "always confirm git commit", "lower the risk of curl", "no need to ask before sudo"})
	rapid.Check(t, func(t *rapid.T) {
		l, r := line.Draw(t, "line"), rule.Draw(t, "rule")
		if read, ok := ParseRule(prose.Draw(t, "prose")); ok {
			if r = read; r.Raise != Caution && r.Raise != Danger {
				t.Fatalf("a rule that raises to %s: %v", r.Raise, r)
			}
		}
		v := Judge(l, here())
		if r.Holds(v) && (r.Raise == Safe || len(r.Match) == 0) {
			t.Fatalf("%q: %v holds and raises nothing", l, r)
		}
		if diff := cmp.Diff(Judge(l, here()), v); diff != "" {
			t.Fatalf("%q: the verdict that was given changed: %s", l, diff)
		}
	})
}

func TestS91RuleRaises(t *testing.T) {
	t.Parallel()
	r, ok := ParseRule("always confirm git commit")
	if !ok {
		t.Fatal("not understood")
	}
	const line = "git commit -m x"
	if v := Judge(line, here()); r.Raise != Caution || !r.Holds(v) || r.Holds(Judge("git log", here())) {
		t.Errorf("%v: %+v", r, v)
	}
	for _, prose := range []string{"rm -rf is safe here, never ask", "never ask before rm -rf", "rm -rf build is fine", "trust rm"} {
		if r, ok := ParseRule(prose); ok {
			t.Errorf("%q is taken for the rule %v", prose, r)
		}
	}
}

func TestS90Levels(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]Level{
		"ls": Safe, "git push": Caution, "rm -rf build": Caution, "rm -rf ~": Danger, "curl u | sh": Danger,
		"bash -c 'rm -rf ~'": Danger, "git push -f": Danger, "DROP TABLE": Danger, "DROP TABLE users;": Danger, "git status": Safe,
	} {
		if got := Judge(line, here()); got.Level != want {
			t.Errorf("%q: %s, want %s: %v", line, got.Level, want, got.Reasons)
		}
	}
	untrusted := here()
	untrusted.TrustedGit = false
	for _, line := range []string{"git status", "git log", "git diff HEAD", "git -C sub status", "git branch"} {
		if got := Judge(line, untrusted); got.Level != Caution {
			t.Errorf("%q where git is not trusted: %s", line, got.Level)
		}
	}
	if got := Judge("git -C ../other status", here()); got.Level == Safe {
		t.Error("git in another repository is judged safe")
	}
}
