package risk

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"mvdan.cc/sh/v3/syntax"
	"pgregory.net/rapid"
)

// lines draws lines of the corpus, and lines that nobody would type.
func lines(t testing.TB) *rapid.Generator[string] {
	var known []string
	for _, c := range readLabelled(t, "testdata/commands.jsonl") {
		known = append(known, c.Cmd)
	}
	piece := rapid.SampledFrom(strings.Fields(`rm -rf / ~ $x ; | && || & ( ) { } $( ) " ' \ > < << EOF ls cat git push -c if then fi do done a=1 * ? [ ]] [[ sudo sh eval xargs find -exec {} + !`))
	return rapid.OneOf(
		rapid.SampledFrom(known),
		rapid.Custom(func(t *rapid.T) string { return strings.Join(rapid.SliceOfN(piece, 0, 12).Draw(t, "pieces"), " ") }),
		rapid.String(),
	)
}

func parses(line string) bool {
	_, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(line), "")
	return err == nil
}

// TestL10Joined: a line is never below what it holds.
func TestL10Joined(t *testing.T) {
	t.Parallel()
	line := lines(t)
	rapid.Check(t, func(t *rapid.T) {
		a, b := line.Draw(t, "a"), line.Draw(t, "b")
		if !parses(a) || !parses(b) || strings.Contains(a, "#") || strings.HasSuffix(a, `\`) {
			return
		}
		at := here()
		want := max(Judge(a, at).Level, Judge(b, at).Level)
		for _, sep := range []string{"\n", "\n\n", "; ", " && ", " || ", " & "} {
			both := a + sep + b
			if !parses(both) || strings.Contains(a, "<<") {
				continue
			}
			if got := Judge(both, at); got.Level < want {
				t.Fatalf("%q is %s, %q is %s, together %s", a, Judge(a, at).Level, b, Judge(b, at).Level, got.Level)
			}
		}
	})
}

// TestL10Wrapped: a line behind a wrapper is never below itself.
func TestL10Wrapped(t *testing.T) {
	t.Parallel()
	line := lines(t)
	rapid.Check(t, func(t *rapid.T) {
		a := line.Draw(t, "a")
		if a == "" || a[0] == '-' || !parses(a) || strings.ContainsAny(a, "\x00") || len(a) > 2000 {
			return
		}
		want := Judge(a, here()).Level
		for _, m := range mutations(a, true) {
			if !parses(m) || strings.Contains(a, "#") && !strings.Contains(m, "'") {
				continue
			}
			if strings.HasPrefix(m, "LC_ALL=C ") || strings.Contains(m, "echo $(") && strings.HasSuffix(a, `\`) {
				continue
			}
			if got := Judge(m, here()); got.Level < want {
				t.Fatalf("%q is %s, %q only %s", a, want, m, got.Level)
			}
		}
	})
}

// TestLevelOfReasons: the level is the highest of the reasons, the worst first; each
// points at its words; judging again says the same.
func TestLevelOfReasons(t *testing.T) {
	t.Parallel()
	line := lines(t)
	rapid.Check(t, func(t *rapid.T) { checkVerdict(t, line.Draw(t, "line")) })
}

type fataler interface {
	Fatalf(format string, args ...any)
}

func checkVerdict(t fataler, line string) {
	v := Judge(line, here())
	if diff := cmp.Diff(v, Judge(line, here())); diff != "" {
		t.Fatalf("%q: twice, two verdicts:\n%s", line, diff)
	}
	level := Safe
	for i, r := range v.Reasons {
		level = max(level, r.Level)
		switch {
		case r.Level == Safe || r.Level > Danger || r.Why == "" || r.Why == whyFault:
			t.Fatalf("%q: reason %+v", line, r)
		case r.At < 0 || r.At+len(r.Token) > len(line) || line[r.At:r.At+len(r.Token)] != r.Token:
			t.Fatalf("%q: token %q does not stand at %d", line, r.Token, r.At)
		case i > 0 && r.Level > v.Reasons[i-1].Level:
			t.Fatalf("%q: reasons in the wrong order", line)
		}
	}
	if level != v.Level {
		t.Fatalf("%q: level %s, reasons say %s", line, v.Level, level)
	}
	if v.Level == Safe && !parses(line) {
		t.Fatalf("%q does not parse, and is judged safe", line)
	}
	for _, c := range v.Commands {
		if c.At < 0 || c.End < c.At || c.End > len(line) || len(c.Argv) != len(c.Known) || len(c.Argv) == 0 {
			t.Fatalf("%q: command %+v", line, c)
		}
	}
}

func FuzzJudge(f *testing.F) {
	for _, c := range readLabelled(f, "testdata/commands.jsonl") {
		f.Add(c.Cmd)
	}
	for _, s := range []string{"", "()0", "\x00", "a(", "=(", "$((", "${", "<<", "{a,b}{c,d}", "{1..9}", "[[ -v", "function", "((", "`", "a=([$(x)]=1)", "@(", "sed s", "sed 's/[/x/'", "awk '\"'", "git -c", "xargs -I", "find -exec", "env -S", "su -c", "$'\\x", "tar --checkpoint-action=exec="} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) { checkVerdict(t, line) })
}

// TestTooMuch: what nobody reads before saying yes is a danger, and costs little.
func TestTooMuch(t *testing.T) {
	t.Parallel()
	n := MaxLine
	for name, line := range map[string]string{
		"long":        strings.Repeat("a", n+1),
		"parens":      strings.Repeat("(", n),
		"closed":      strings.Repeat("(", n/2) + strings.Repeat(")", n/2),
		"substitutes": strings.Repeat("$(", n/2),
		"deep":        strings.Repeat("echo $(", 10_000) + "ls" + strings.Repeat(")", 10_000),
		"braces":      strings.Repeat("{ ", n/2),
		"ticks":       strings.Repeat("`", n),
		"many":        strings.Repeat("ls;", 200),
		"commands":    strings.Repeat("ls -l somewhere\n", n/20),
		"pipes":       strings.Repeat("cat|", n/5) + "cat",
		"not":         strings.Repeat("! ", n/2) + "ls",
		"arithmetic":  "echo $((" + strings.Repeat("-", n-20) + "1))",
		"plus":        "echo $((1" + strings.Repeat("+1", n/3) + "))",
		"words":       "echo " + strings.Repeat("word ", n/6),
		"wrappers":    strings.Repeat("nice ", 30) + "ls",
		"shells":      strings.Repeat("eval ", 30) + "ls",
		"product":     "ls " + strings.Repeat("{a,b}", 40) + " $(x) ; ls;" + strings.Repeat("[", 401),
	} {
		began := time.Now()
		v := Judge(line[:min(len(line), n+1)], here())
		if v.Level != Danger {
			t.Errorf("%s: %s", name, v.Level)
		}
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("%s: took %v", name, took)
		}
	}
	for _, line := range []string{"echo '" + strings.Repeat("word ", MaxLine/6) + "'", "cat <<'E'\n" + strings.Repeat("a line of text\n", MaxLine/16) + "E\n"} {
		if v := Judge(line, here()); v.Level != Safe {
			t.Errorf("a long text: %s: %v", v.Level, v.Reasons)
		}
	}
}

// TestUnparsed: what bash does not understand is never safe.
func TestUnparsed(t *testing.T) {
	t.Parallel()
	for _, line := range []string{"echo ${(U)x}", "if true", "echo 'open", "ls <", "cat <<", "\x7fELF\x02\x01", "for x (a b) echo $x", "ls |", "(ls", "foo() {", "print -l **/*(.om[1,3])", "ls ;; ls", "echo $(ls", "=ls", "set x = 1; end"} {
		if v := Judge(line, here()); v.Level == Safe {
			t.Errorf("%q is judged safe", line)
		}
	}
	for _, line := range []string{"rm -rf ~ |", "(rm -rf /", "if rm -rf ~; then", "db.dropDatabase()", "curl x | sh |", "echo 'a' ) ; sudo rm -rf /usr"} {
		if v := Judge(line, here()); v.Level != Danger {
			t.Errorf("%q is judged %s", line, v.Level)
		}
	}
	if v := Judge("echo <(ls)", Here{POSIX: true}); v.Level == Safe {
		t.Error("sh does not know <(...), and it is judged safe")
	}
}

// TestSilence: nothing at all does nothing.
func TestSilence(t *testing.T) {
	t.Parallel()
	for _, line := range []string{"", " ", "\n", "# only words", "\t# rm -rf /"} {
		if v := Judge(line, here()); v.Level != Safe || len(v.Commands) > 0 {
			t.Errorf("%q: %+v", line, v)
		}
	}
}

// TestOtherNames: a variable that programs obey is set by whatever sets it, also under
// another name; what is evaluated later is looked at now.
func TestOtherNames(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]Level{
		`declare -n r=PATH; r=/tmp/x`:       Danger,
		`typeset -n r=LD_PRELOAD`:           Danger,
		`f() { local -n r=BASH_ENV; r=x; }`: Danger,
		`declare -n r=$x`:                   Danger,
		`declare -n r=lines; r=3`:           Caution,
		`declare -i n=3; echo $n`:           Safe,
		`wait -p PATH -n`:                   Danger,
		`wait -n`:                           Safe,
		`exec {PATH}>&2`:                    Danger,
		`x='a[$(id)]'; echo $((x))`:         Danger,
		`x="[$(date +%F)]"; echo "$x"`:      Safe,
		`more "+!rm -rf ~" f`:               Danger,
		`dc <<< '!rm -rf ~'`:                Danger,
		`echo '!rm -rf ~' | dc`:             Danger,
		`echo '2 3 + p' | dc`:               Safe,
		`cat sums | dc`:                     Caution,
		`info -o ~/.bashrc bash`:            Danger,
		`multitail -l 'rm -rf ~'`:           Danger,
		`split --filter='rm -rf ~' f`:       Danger,
		`perf stat -- rm -rf ~`:             Danger,
		`gdb -q --args rm -rf ~`:            Danger,
		`gdb --args rm -rf ~`:               Danger,
		`proot rm -rf ~`:                    Danger,
		`fzf --preview 'rm -rf ~'`:          Danger,
		`fzf --bind 'enter:become(vim {})'`: Caution,
		`fzf --bind='f1:execute(rm -rf ~)'`: Danger,
		`mlr --prepipe 'rm -rf ~' cat f`:    Danger,
		`sar -o ~/.profile 1 1`:             Danger,
		`printf '%s\n' '1 2 +' p | dc`:      Safe,
		"less $'+/x\\n!rm -rf ~' f":         Danger,
		`git log --oneline | less +/fix`:    Safe,
		`coproc PATH { cat; }`:              Danger,
	} {
		if got := Judge(line, here()).Level; got != want {
			t.Errorf("%s: %s, want %s", line, got, want)
		}
	}
}

// pieces draws short lists over assignments, changes of directory and their uses.
func pieces() *rapid.Generator[string] {
	piece := rapid.SampledFrom([]string{
		`a=~/.bashrc`, `a=x`, `a=`, `a=/`, `b=$a`, `b=$a/y`, `a="rm -rf ~"`, `a=-delete`, `b='x y'`, `a=$(ls)`, `export a=q`, `readonly b=z`, `unset a`, `read -r a`, `a+=x`, `a=(x y)`, `local a=1`, `declare -n a=b`,
		`echo x > $a`, `echo x > "$b"`, `rm -rf $a`, `rm "$b"`, `bash -c "$a"`, `find . $a`, `sort "$b"`, `echo $a`, `git diff $b`, `cat $a`, `eval "$a"`, `for a in x ~/.profile; do echo > $a; done`, `for i in 1 2; do ls $i; done`,
		`cd /etc`, `cd sub`, `cd "$a"`, `cd -`, `cd ..`, `pushd /tmp`, `popd`, `cd ~/.ssh`, `(cd /etc)`, `cd x && ls`, `cd x || ls`, `git status`, `rm -rf y`, `touch passwd`, `f() { echo x > $1; }`, `f $a`, `ls`, `true`, `false && a=w`, `a=v & true`,
		`cat .env`, `env | sort`, `curl h`, `k=$(cat .env)`, `curl "h/$k"`, `cat .env > o`, `curl -d @o h`, `git add .env`, `git push`, `set -a`, `set -- $a`, `x=$((a+1))`, `[[ $a -gt 1 ]]`, `trap 'rm $a' EXIT`,
	})
	return rapid.Custom(func(t *rapid.T) string { return strings.Join(rapid.SliceOfN(piece, 1, 5).Draw(t, "list"), "; ") })
}

// TestL10Appended: adding a command behind a line never lowers it, whatever the command
// sets and wherever it goes; nor does adding one before it that sets nothing and goes
// nowhere.
func TestL10Appended(t *testing.T) {
	t.Parallel()
	list := pieces()
	rapid.Check(t, func(t *rapid.T) {
		a, b := list.Draw(t, "a"), list.Draw(t, "b")
		was := Judge(a, here()).Level
		for _, line := range []string{a + "; " + b, a + "\n" + b, "ls; " + a, "ls && { " + a + "; }", "( " + a + " )", "if true; then " + a + "; fi", "bash -c " + quote(a), "{ " + a + "; " + b + "; }"} {
			if parses(line) && Judge(line, here()).Level < was {
				t.Fatalf("%q is %s, %q only %s", a, was, line, Judge(line, here()).Level)
			}
		}
		if got := Judge(a+"; "+b, here()); got.Level < Judge(b, here()).Level && !strings.ContainsAny(a, "=") && !strings.Contains(a, "cd") && !strings.Contains(a, "pushd") && !strings.Contains(a, "popd") &&
			!strings.Contains(a, "read") && !strings.Contains(a, "unset") && !strings.Contains(a, "for ") && !strings.Contains(a, "set --") {
			t.Fatalf("%q is %s, behind %q only %s", b, Judge(b, here()).Level, a, got.Level)
		}
	})
}
