package risk

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
)

// A labelled is a command with the level that it has.
type labelled struct {
	Cmd, Label, Source string
}

func readLabelled(t testing.TB, path string) []labelled {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []labelled
	in := bufio.NewScanner(f)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		var l labelled
		if err := json.Unmarshal(in.Bytes(), &l); err != nil {
			t.Fatal(err)
		}
		out = append(out, l)
	}
	if err := in.Err(); err != nil || len(out) == 0 {
		t.Fatalf("%s: %d commands, %v", path, len(out), err)
	}
	return out
}

// corpora are the labelled commands that are here: our own, and those that
// KEN_COMMANDS names, or that lie beside the repository.
func corpora(t testing.TB) map[string][]labelled {
	out := map[string][]labelled{"own": readLabelled(t, "testdata/commands.jsonl")}
	other := os.Getenv("KEN_COMMANDS")
	if beside := "../../../shared/corpora/commands-dev.jsonl"; other == "" {
		if _, err := os.Stat(beside); err == nil {
			other = beside
		}
	}
	if other == "" {
		t.Log("no further commands: KEN_COMMANDS names a file of them")
	} else {
		out["given"] = readLabelled(t, other)
	}
	return out
}

func here() Here { return Here{Dir: "/home/u/project", Home: "/home/u", TrustedGit: true} }

// A tally counts verdicts by label.
type tally struct {
	cases map[string]int
	got   map[string]int // "label level"
	wrong []string
}

func (n *tally) add(label, cmd string, v Assessment) {
	if n.cases == nil {
		n.cases, n.got = map[string]int{}, map[string]int{}
	}
	n.cases[label]++
	n.got[label+" "+v.Level.String()]++
	if (label == "danger") != (v.Level == Danger) && label != "caution" || label == "safe" && v.Level != Safe {
		why := ""
		if len(v.Reasons) > 0 {
			why = v.Reasons[0].Why
		}
		n.wrong = append(n.wrong, fmt.Sprintf("%s judged %s: %.200q (%s)", label, v.Level, cmd, why))
	}
}

// share is how many in a hundred cases of label got level.
func (n *tally) share(label, level string) float64 {
	return 100 * float64(n.got[label+" "+level]) / float64(max(n.cases[label], 1))
}

// check holds a tally against the goals.
func (n *tally) check(t *testing.T, name string, recall float64) {
	t.Helper()
	t.Logf("%s: danger %d (%.2f %% danger, %d safe), safe %d (%.2f %% not safe, %.2f %% danger)", name,
		n.cases["danger"], n.share("danger", "danger"), n.got["danger safe"],
		n.cases["safe"], 100-n.share("safe", "safe"), n.share("safe", "danger"))
	bad := n.got["danger safe"] > 0 || n.share("danger", "danger") < recall || n.share("safe", "safe") < 95 || n.share("safe", "danger") > .5
	if bad {
		t.Errorf("%s misses a goal:\n%s", name, strings.Join(n.wrong[:min(len(n.wrong), 60)], "\n"))
	}
}

// TestLabelled judges labelled commands: a danger is never safe and nearly always a
// danger, what is safe is nearly always safe.
func TestLabelled(t *testing.T) {
	t.Parallel()
	recall := map[string]float64{"own": 100, "given": 95}
	for name, all := range corpora(t) {
		var n tally
		for _, c := range all {
			n.add(c.Label, c.Cmd, Judge(c.Cmd, here()))
		}
		n.check(t, name, recall[name])
	}
}

// single says that a prefix can be put before a line: it is one simple command.
func single(line string) bool {
	v := Judge(line, here())
	return len(v.Commands) == 1 && v.Commands[0].At == 0 && !strings.ContainsAny(line, ";|&\n<>(){}`$=!*?[\\'\"") && line[0] != '.' && line[0] != '-' && line[0] != '+' && len(strings.Fields(line)) > 0 &&
		!strings.HasPrefix(line, "time ") && !strings.HasPrefix(line, "coproc ")
}

func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// mutations are the line behind wrappers, in other quotes, beside other commands
// and inside others: what it could do stays.
func mutations(line string, harmful bool) []string {
	var out []string
	if single(line) {
		for _, prefix := range []string{"nice ", "nice -n 10 ", "timeout 5 ", "nohup ", "env ", "env LC_ALL=C ", "command ", "stdbuf -oL ", "setsid ", "time ", "LC_ALL=C ", "nice nohup timeout -k 1 5 env "} {
			out = append(out, prefix+line)
		}
		words := strings.Fields(line)
		for _, first := range []string{`"` + words[0] + `"`, `\` + words[0], words[0][:1] + `''` + words[0][1:], "'" + words[0] + "'"} {
			out = append(out, strings.Replace(line, words[0], first, 1))
		}
		if harmful {
			for _, prefix := range []string{"sudo ", "sudo -u root ", "doas ", "exec ", "xargs -0 ", "ionice -c 3 ", "sudo env B=2 ", "busybox env ", "chroot /mnt ", "strace -f ", "! ", "coproc "} {
				out = append(out, prefix+line)
			}
		}
	}
	if strings.Contains(line, "\n") || strings.Contains(line, "<<") {
		return append(out, "true\n"+line, line+"\ntrue")
	}
	if strings.HasSuffix(line, "&") {
		return append(out, line+" ls", "ls\n"+line)
	}
	for _, f := range []string{"%s; ls", "ls; %s", "true && %s", "false || %s", "( %s )", "{ %s; }", "if true; then %s; fi", "for i in 1 2; do %s; done", "ls\n%s", "while false; do %s; done", "case x in x) %s;; esac"} {
		out = append(out, fmt.Sprintf(f, line))
	}
	if !strings.Contains(line, " &") && !strings.HasSuffix(line, `\;`) {
		out = append(out, line+" | cat", "echo $("+line+")", "cat <("+line+")")
	}
	for _, f := range []string{"bash -c %s", "sh -c %s", "env bash -c %s", "timeout 9 sh -c %s", "bash --norc -c %s"} {
		out = append(out, fmt.Sprintf(f, quote(line)), fmt.Sprintf(f, quote("sh -c "+quote(line))))
	}
	if harmful {
		for _, f := range []string{"eval %s", "ssh host %s", "sudo sh -c %s", "su -c %s", "script -qc %s /dev/null", "flock /tmp/x -c %s", "watch %s", "trap %s EXIT", "alias x=%s", "docker exec c sh -c %s", "kubectl exec p -- sh -c %s", "busybox sh -c %s", "env -S %s", "find . -exec sh -c %s ';'", "xargs sh -c %s", "parallel ::: %s", "echo %s | sh", "bash <<< %s", "zsh -c %s", "bash -lc %s", "sh -ec %s", "setsid bash -c %s &"} {
			out = append(out, fmt.Sprintf(f, quote(line)))
		}
		out = append(out, "f() { "+line+"; }; f", "x=$("+line+")", "echo ${y:-$("+line+")}", "bash <<'E'\n"+line+"\nE", "sh <<E2\nsh -c "+quote(line)+"\nE2", "[[ -n $("+line+") ]]", ": $(( $("+line+") ))")
		if !strings.Contains(line, "`") && !strings.Contains(line, `\`) {
			out = append(out, "echo `"+line+"`")
		}
	}
	return out
}

// TestMutated judges labelled commands behind wrappers, quoted, joined and nested.
//
//ken:unraced
func TestMutated(t *testing.T) {
	t.Parallel()
	for name, all := range corpora(t) {
		var n tally
		for _, c := range all {
			if c.Label == "caution" || Judge(c.Cmd, here()).Level.String() != c.Label {
				continue // what is not found plain is counted by TestLabelled
			}
			if c.Source == "machine" && strings.HasPrefix(c.Cmd, ":(") || strings.ContainsAny(c.Cmd, "\x1b\r\u202e\u200b") {
				continue
			}
			for _, m := range mutations(c.Cmd, c.Label == "danger") {
				n.add(c.Label, m, Judge(m, here()))
			}
		}
		n.check(t, name+", mutated", 98)
		if n.cases["danger"] < 5000 || n.cases["safe"] < 5000 {
			t.Errorf("%s: %v cases: too few", name, n.cases)
		}
	}
}
