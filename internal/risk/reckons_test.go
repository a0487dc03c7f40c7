package risk

import "testing"

// TestReckons: code of another language that only reckons and prints is safe; what could
// reach more by a name, a text or a way of writing that can be read in two ways is not.
func TestReckons(t *testing.T) {
	t.Parallel()
	for _, line := range []string{
		`julia -e 'println(sum(1:10))'`, `Rscript -e 'cat(mean(c(1,2,3)), "\n")'`, `node -p '[3,1,2].sort().join()'`,
		`node -p '[1,2,3].map(x => x*x).join()'`, `perl -ne 'print if /drop\s+table/i' dump.sql`, `perl -ne 'print if /^\s*sub /' lib/App.pm`,
		`perl -lane '$s += $F[1]; END { print $s }' t.txt`, `python3 -c "print(sum(int(l) for l in open('nums.txt')))"`,
		`python3 -c 'import json,sys; print(len(json.load(sys.stdin)))' < rows.json`,
		`python3 -c 'import json; print(len(json.load(open("data.json"))))'`,
		`ruby -e 'puts [3,1,2].sort.map(&:to_s).join(",")'`, `ruby -e 'puts (1..5).map { |x| x * 2 }.sum'`,
		`php -r 'echo strtoupper("a"), PHP_EOL;'`,
		`python3 -c 'import math; print(math.sqrt(2))'`, `node -e 'console.log(new Date(0).toISOString())'`, `perl -e 'printf "%.2f\n", 10/3'`,
		`python3 -m json.tool settings.json`, `node -p '"a-b".replace(/-/g, "_")'`, `python3 -c 'print(", ".join(sorted(["b", "a"])))'`,
	} {
		if v := Judge(line, here()); v.Level != Safe {
			t.Errorf("%s: %v: %v", line, v.Level, v.Reasons)
		}
	}
	for _, line := range []string{
		`node -p '[]["map"]["constructor"]("x")()'`, `node -p 'x=[]["m"+"ap"]'`, `node -p 'x.constructor("a")'`,
		`node -p 'this.process'`, `node -p 'require("fs")'`,
		`node -p 'x++ /evil()/1'`, "node -p '1 <!-- \"\nevil()//\"'", `node -p '/[/]"/.test(1)+evil()+"'`,
		`node -p 'if(1)/"/.test(1),evil(),""'`, "node -p 'String.raw`a${evil()}`'",
		`node -p '({constructor:F}=x)'`, `node -p 'process.exit()'`, `node -p 'process["env"]'`, `node -p 'process.env'`,
		`node -p 'JSON.stringify(process.env)'`,
		`python3 -c 'print(map(exec, ["1"]))'`, `python3 -c 'exec = 1; print(exec)'`, `python3 -c 'import os; print(os.environ)'`,
		`python3 -c 'import json; json.codecs.open("/x","w")'`,
		`python3 -c 'import random; random._os.system("x")'`, `python3 -c 'print(open(".env").read())'`,
		`python3 -c 'print(open("a","w"))'`, `python3 -c 'print(""" """, evil())'`,
		`python3 -c 'print(f"{evil()}")'`, `python3 -c 'print(().__class__)'`, `python3 -c 'import json as os; print(1)'`,
		`python3 -c 'import mine; print(1)'`,
		`perl -e 'print "@{[system(1)]}"'`, `perl -e 'print "$x[system(1)]"'`, `perl -ne 's/a/b/e; print' f`,
		`perl -e 'print $ENV{A}'`, `perl -e '@ARGV=("a|"); print <>'`, `perl -ne 'print' 'a|'`, `perl -ne 'print' *`,
		`perl -e '*x = *CORE::system; x(1)'`, `perl -e '&{"system"}(1)'`, `perl -e '"system"->(1)'`,
		`perl -e 'print length /"/; evil(); "'`, `perl -e 'print <<"X"; evil()'`, `perl -e 'print /(?{evil()})/'`,
		`perl -e 'open F, ">x"'`, `perl -e 'print ${^X}'`, `perl -pi -e 's/a/b/' f`,
		`ruby -e 'puts "#{evil}"'`, `ruby -e 'puts "a".send("b")'`, `ruby -e 'x = ?"; evil(); "'`, `ruby -e 'puts %x(ls)'`,
		`ruby -e 'puts [1].map(&:system)'`, `ruby -e 'puts Kernel'`, "ruby -e 'puts `ls`'", `ruby -e 'puts File.read("a")'`,
		`Rscript -e 'sapply("id", "system")'`, `Rscript -e 'r"(")"; system("id")'`, `Rscript -e '1 %"% system("id") %"% 2'`,
		`Rscript -e 'print(readLines("a"))'`, `php -r '"system"("id");'`, `php -r '$f("id");'`, `php -r 'echo file_get_contents("a");'`,
		`julia -e 'run(1)'`, "julia -e 'println(`ls`)'", `julia -e 'println("$(evil())")'`, `julia -e 'Base.run'`,
		`cd sub; python3 -m json.tool x`, `echo 1 > json.py; python3 -m json.tool x`, `python3 -m json.tool a b`,
		`cargo tree --config x`, `cargo build`, `cd x; cargo tree`,
	} {
		if v := Judge(line, here()); v.Level == Safe {
			t.Errorf("%s: safe", line)
		}
	}
}

// TestObeyed: what obeys files of the directory as code is harmless where ken looked and
// found none.
func TestObeyed(t *testing.T) {
	t.Parallel()
	for _, line := range []string{
		`cargo tree -i serde --offline`, `cargo --version`, `rustc --print target-list | grep musl`,
		`uv pip list`, `hg log -l 3 --stat`, `python3 -m json.tool x.json`,
	} {
		for _, c := range []struct {
			here Here
			want Level
		}{
			{Here{TrustedGit: true}, Safe},
			{Here{}, Caution},
			{Here{TrustedGit: true, Has: func(string) bool { return true }}, Caution},
			{Here{Has: func(string) bool { return false }}, Safe},
		} {
			if v := Judge(line, c.here); v.Level != c.want {
				t.Errorf("%s: %v, want %v: %v", line, v.Level, c.want, v.Reasons)
			}
		}
	}
}
