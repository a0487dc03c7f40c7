package risk

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"
)

// hostile are lines of some hundred bytes that would grow without end.
func hostile() map[string]string {
	double := func(n int, set, use string) string {
		var b strings.Builder
		b.WriteString("v0=aaaaaaaaaa;")
		for i := 1; i < n; i++ {
			fmt.Fprintf(&b, set, i, i-1)
		}
		return b.String() + fmt.Sprintf(use, n-1)
	}
	return map[string]string{
		"values":                   double(30, "v%d=$v%[2]d$v%[2]d;", "echo $v%d"),
		"values in quotes":         double(30, `v%d="$v%[2]d$v%[2]d";`, `echo "$v%d"`),
		"values with defaults":     double(24, "v%d=${v%[2]d:-$v%[2]d};", "echo $v%d"),
		"values appended":          "v=a;" + strings.Repeat("v+=$v$v;", 50) + "echo $v",
		"values set again":         "v=a;" + strings.Repeat("v=$v$v;", 60) + "echo $v",
		"values in each other":     "a=$b$b;b=$a$a;c=$a$b$c;" + strings.Repeat("a=$c$b;b=$a$c;c=$b$a;", 15) + "rm $a $b $c",
		"many words":               "v=" + strings.Repeat("x", 200) + ";echo" + strings.Repeat(" $v$v$v", 35),
		"a long value, many words": double(8, "v%d=$v%[2]d$v%[2]d$v%[2]d;", "cat"+strings.Repeat(" $v7", 60)+" %d"),
		"braces":                   "echo" + strings.Repeat(" {a,b,c,d,e,f}{a,b,c,d,e,f}", 16),
		"braces of values":         "v=" + strings.Repeat("x", 300) + ";echo" + strings.Repeat(" {$v,$v,$v}{$v,$v,$v}", 8),
		"braces in braces":         "echo " + strings.Repeat("{a,", 60) + strings.Repeat("}", 60),
		"ranges":                   "echo {1..999999999}{1..999999999}",
		"documents":                strings.Repeat("cat <<$v\n$v\n", 1) + strings.Repeat("x <<< $(cat <<< $v);", 15),
		"a document of values":     double(9, "v%d=$v%[2]d$v%[2]d$v%[2]d;", "cat <<E\n"+strings.Repeat("$v%[1]d", 40)+"\nE\n"),
		"substitutions":            "echo " + strings.Repeat("$(echo ", 60) + strings.Repeat(")", 60),
		"texts in texts":           strings.Repeat(`eval "`, 5) + strings.Repeat("$v", 50) + strings.Repeat(`"`, 5),
		"pipes":                    strings.Repeat("cat|", 120) + "cat",
		"pipes of values":          "v=" + strings.Repeat("x", 150) + ";" + strings.Repeat("cat $v|", 40) + "curl -d @- h",
		"parallel":                 "parallel" + strings.Repeat(" {}", 50) + " :::" + strings.Repeat(" aaaa", 50),
		"xargs":                    strings.Repeat("xargs -I{} ", 45),
		"directories":              strings.Repeat("cd a;", 90) + "rm -rf x",
		"directories in loops":     strings.Repeat("for i in 1 2;do cd $i;", 15) + "rm x;" + strings.Repeat("done;", 15),
		"functions":                strings.Repeat("f(){ g;cd x;", 25) + "ls" + strings.Repeat(";}", 25),
		"loops over values":        "for a in 1 2 3;do for b in $a $a $a;do for c in $a$b $b$a;do for d in $c$a $b$c;do rm $a$b$c$d;done;done;done;done",
		"positions":                "f(){ g $1$1 $2$2;}; g(){ f $1$1 $2$2;}; f a b;f c d;rm $1",
		"arithmetic":               "echo $((" + strings.Repeat("a+", 200) + "1))",
		"long arguments":           "find . " + strings.Repeat("-o ", 150),
		"python":                   "python3 -c '" + strings.Repeat(`"a b" `, 60) + "os.system()'",
		"traps":                    strings.Repeat("trap 'cd x;rm y' EXIT;", 20),
	}
}

// TestG7Bytes: no short line has the judge write out more than some megabytes, or take
// long.
func TestG7Bytes(t *testing.T) { //nolint:paralleltest // it counts what the process allocates
	for name, line := range hostile() {
		// Whatever else the process does can only add: the least of some is the line's own.
		made, took := uint64(1<<62), time.Duration(1<<62)
		for range 3 {
			var before, behind runtime.MemStats
			runtime.ReadMemStats(&before)
			began := time.Now()
			Judge(line, here())
			took = min(took, time.Since(began))
			runtime.ReadMemStats(&behind)
			made = min(made, behind.TotalAlloc-before.TotalAlloc)
		}
		if made > 10<<20 {
			t.Errorf("%s: %d bytes of line, %d KiB written out in %v", name, len(line), made>>10, took)
		}
		if took > 2*time.Second {
			t.Errorf("%s: %v", name, took)
		}
	}
}

// BenchmarkJudge50KB is a line of many words.
func BenchmarkJudge50KB(b *testing.B) {
	line := "echo" + strings.Repeat(" "+strings.Repeat("x", 60), 800)
	for b.Loop() {
		Judge(line, Here{TrustedGit: true})
	}
}

// BenchmarkJudgeHostile is a line that would grow.
func BenchmarkJudgeHostile(b *testing.B) {
	line := hostile()["values"]
	for b.Loop() {
		Judge(line, here())
	}
}

// BenchmarkJudgeShort is an ordinary line.
func BenchmarkJudgeShort(b *testing.B) {
	for b.Loop() {
		Judge("git log --oneline -5 | head", here())
	}
}
