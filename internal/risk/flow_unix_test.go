//go:build unix

package risk

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"ken/internal/proctest"
)

// scripts draws small scripts that set variables in many ways and print them: each
// "echo @N:$x" is a use.
func scripts() *rapid.Generator[string] {
	name := rapid.SampledFrom([]string{"a", "b", "c"})
	value := rapid.SampledFrom([]string{"1", "x", `"y z"`, `'q'`, "$a", "$b", `"$c"`, "$a$b", "7", `"${b}w"`, "", `$'t'`, "p=q"})
	return rapid.Custom(func(t *rapid.T) string {
		uses := 0
		var list func(depth int) string
		statement := func(depth int) string {
			n, v := name.Draw(t, "name"), value.Draw(t, "value")
			use := func() string {
				uses++
				return fmt.Sprintf(`echo "@%d:$%s@"`, uses, name.Draw(t, "used"))
			}
			kind := rapid.IntRange(0, 34).Draw(t, "kind")
			if depth > 2 && kind > 16 {
				kind %= 17
			}
			switch kind {
			case 0, 1, 2, 3:
				return n + "=" + v
			case 4, 5, 6, 7:
				return use()
			case 8:
				return "export " + n + "=" + v
			case 9:
				return "unset " + n
			case 10:
				return "read -r " + n + " <<< " + `"` + "r s" + `"`
			case 11:
				return "printf -v " + n + " %s " + "w"
			case 12:
				return n + "+=" + v
			case 13:
				return n + "=" + v + " true"
			case 14:
				return "declare " + rapid.SampledFrom([]string{"", "-i ", "-u ", "-x ", "-g "}).Draw(t, "attribute") + n + "=" + v
			case 15:
				return ": ${" + n + ":=" + "d}"
			case 16:
				return ": $((" + n + "=5))"
			case 17:
				return "(" + list(depth+1) + ")"
			case 18:
				return "{ " + list(depth+1) + "; }"
			case 19:
				return rapid.SampledFrom([]string{"true", "false"}).Draw(t, "cond") + rapid.SampledFrom([]string{" && ", " || "}).Draw(t, "op") + statementOf(n, v)
			case 20:
				return "if " + rapid.SampledFrom([]string{"true", "false"}).Draw(t, "cond") + "; then " + list(depth+1) + "; fi"
			case 21:
				return "for " + n + " in " + v + " l; do " + list(depth+1) + "; done"
			case 22:
				return "for i in 1 2; do " + list(depth+1) + "; done"
			case 23:
				return "f() { " + list(depth+1) + "; }"
			case 24:
				return "f"
			case 25:
				return list(depth+1) + " | cat"
			case 26:
				return `echo "$(` + list(depth+1) + `)"`
			case 27:
				return "eval '" + strings.ReplaceAll(list(depth+1), "'", "") + "'"
			case 28:
				return "declare -n r=" + n + "; r=" + v
			case 29:
				return "trap '" + n + "=trapped' DEBUG"
			case 30:
				return "mapfile -t " + n + " <<< m"
			case 31:
				return n + "=" + v + " && " + use()
			case 32:
				return "case x in x) " + list(depth+1) + ";; esac"
			case 33:
				return "bash -c '" + n + "=inner'"
			default:
				return n + "=" + v + " f"
			}
		}
		list = func(depth int) string {
			var out []string
			for range rapid.IntRange(1, 4).Draw(t, "length") {
				out = append(out, statement(depth))
			}
			return strings.Join(out, "; ")
		}
		return "f() { :; }; " + list(0) + "; " + list(0) + fmt.Sprintf(`; echo "@%d:$a@"; echo "@%d:$b@"; echo "@%d:$c@"`, uses+1, uses+2, uses+3)
	})
}

func statementOf(name, value string) string { return name + "=" + value }

// TestG1Differential: wherever a value counts as known, bash has that value there.
func TestG1Differential(t *testing.T) {
	t.Parallel()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash")
	}
	dir := t.TempDir()
	script := scripts()
	checked, batch := 0, []string{}
	known := []map[string]string{}
	rapid.Check(t, func(t *rapid.T) {
		text := script.Draw(t, "script")
		uses := map[string]string{}
		judgeKnown(text, func(text string, at int, value string) {
			begin := strings.LastIndexByte(text[:at], '@')
			if quote := strings.LastIndexByte(text[:at], '"'); begin < quote || begin < 0 {
				return // no use that is printed
			}
			id, _, _ := strings.Cut(text[begin+1:at], ":")
			uses[id] = value
		})
		if len(uses) > 0 {
			batch, known = append(batch, text), append(known, uses)
		}
	})
	for i := 0; i < len(batch); i++ {
		path := filepath.Join(dir, fmt.Sprint(i))
		if err := os.WriteFile(path, []byte(batch[i]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for i, text := range batch {
		cmd := proctest.Command(t, bash, "--norc", "--noprofile", filepath.Join(dir, fmt.Sprint(i)))
		cmd.Dir, cmd.Env = dir, append(cmd.Env, "LC_ALL=C", "a=envA", "b=envB")
		cmd.WaitDelay = time.Second
		out, _ := cmd.CombinedOutput() // a script may fail; what it printed counts
		for _, part := range strings.Split(string(out), "\n") {
			use, ok := strings.CutPrefix(part, "@")
			id, got, colon := strings.Cut(use, ":")
			if !ok || !colon {
				continue
			}
			want, isKnown := known[i][id]
			if !isKnown {
				continue
			}
			checked++
			if strings.TrimSuffix(got, "@") != want {
				t.Errorf("use %s holds %q, and counts as %q:\n%s", id, got, want, text)
			}
		}
	}
	if checked < 5 && !t.Failed() {
		t.Errorf("%d uses of known values were seen: too few", checked)
	}
}

// judgeKnown judges text, and tells of each value that counts as known.
func judgeKnown(text string, known func(text string, at int, value string)) {
	j := newJudge(text, here())
	j.known = known
	j.script(text, scene{})
}
