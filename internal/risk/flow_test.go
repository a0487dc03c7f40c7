package risk

import (
	"fmt"
	"strings"
	"testing"
)

// TestG1Values: a value counts as known only where nothing in the line can change it, or
// keep it from being set. Each line makes a file W/pwn in some way, if bash runs it.
func TestG1Values(t *testing.T) {
	t.Parallel()
	ways := []string{ // to have c hold the first value where it is used, and show another
		`c=%[1]s; (c=%[2]s); %[3]s`,
		`c=%[1]s; false && c=%[2]s; %[3]s`,
		`c=%[1]s; true || c=%[2]s; %[3]s`,
		`c=%[1]s; if false; then c=%[2]s; fi; %[3]s`,
		`c=%[1]s; while false; do c=%[2]s; done; %[3]s`,
		`c=%[1]s; until true; do c=%[2]s; done; %[3]s`,
		`c=%[1]s; for c in; do :; done; %[3]s`,
		`c=%[1]s; for i in; do c=%[2]s; done; %[3]s`,
		`c=%[1]s; case x in y) c=%[2]s;; esac; %[3]s`,
		`c=%[1]s; c=%[2]s | true; %[3]s`,
		`c=%[1]s; true | c=%[2]s; %[3]s`,
		`c=%[1]s; c=%[2]s & %[3]s`,
		`c=%[1]s; coproc c=%[2]s; %[3]s`,
		`c=%[1]s; : $(c=%[2]s); %[3]s`,
		"c=%[1]s; : `c=%[2]s`; %[3]s",
		`c=%[1]s; : <(c=%[2]s); %[3]s`,
		`c=%[1]s; f() { c=%[2]s; }; %[3]s`,
		`c=%[1]s; f() { local c=%[2]s; }; f; %[3]s`,
		`c=%[1]s; trap "c=%[2]s" EXIT; %[3]s`,
		`c=%[1]s; bash -c "c=%[2]s"; %[3]s`,
		`c=%[1]s; c=%[2]s true; %[3]s`,
		`c=%[1]s; : ${c:=%[2]s}; %[3]s`,
		`readonly c=%[1]s; (c=%[2]s); %[3]s`,
		`c=%[2]s; read -r c <<< %[1]s; %[3]s`,
		`c=%[2]s; printf -v c %%s %[1]s; %[3]s`,
		`c=%[2]s; mapfile c <<< %[1]s; %[3]s`,
		`c=%[2]s; readarray -t c <<< %[1]s; %[3]s`,
		`c=%[2]s; declare -n r=c; r=%[1]s; %[3]s`,
		`c=%[2]s; f() { c=%[1]s; }; f; %[3]s`,
		`c=%[2]s; f() { declare -g c=%[1]s; }; f; %[3]s`,
		`for i in 1 2; do c=${n:-%[2]s}; %[3]s; n=%[1]s; done`,
		`c=%[2]s; for i in 1 2; do %[3]s; c=%[1]s; done`,
		`c=%[2]s; unset c; : ${c:=%[1]s}; %[3]s`,
		`c=%[2]s; eval c=%[1]s; %[3]s`,
		`c=%[2]s; . ./sets; %[3]s`,
		`f() { %[3]s; }; c=%[1]s; f; c=%[2]s`,
		`f() { %[3]s; }; c=%[1]s f; c=%[2]s`,
		`c=%[2]s; select c in %[1]s; do break; done <<< 1; %[3]s`,
		`c=%[2]s; builtin read -r c <<< %[1]s; %[3]s`,
		`c=%[2]s; command printf -v c %%s %[1]s; %[3]s`,
		`v=-vc; c=%[2]s; printf $v %[1]s; %[3]s`,
		`c=%[2]s; declare $(echo c=1); %[3]s`,
		`c=%[2]s; export "c=%[1]s"; %[3]s`,
		`c=%[2]s; set -- %[1]s; c=$1; %[3]s`,
		`c=(%[2]s); c=%[1]s; %[3]s`,
		`c=%[2]s; x='c=1'; : $((x)); %[3]s`,
		`c=%[2]s; while read -r c; do %[3]s; done <<< %[1]s`,
		`c=%[2]s; c+=%[1]s; %[3]s`,
		`c=%[1]s; shopt -s lastpipe; echo %[2]s | read -r c; %[3]s`,
	}
	uses := []struct{ bad, good, use string }{
		{`"touch W/pwn"`, `ls`, `bash -c "$c"`},
		{`"touch W/pwn"`, `ls`, `eval "$c"`},
		{`"rm -rf ~"`, `ls`, `ssh host "$c"`},
		{`W/pwn`, `/dev/null`, `echo x > $c`},
		{`W/pwn`, `/dev/null`, `echo x | tee "$c"`},
		{`"-exec touch W/pwn ;"`, `-print`, `find . $c`},
		{`-delete`, `-print`, `find . "$c"`},
		{`-oW/pwn`, `-r`, `sort "$c" f`},
		{`1e,touch,W/pwn`, `p`, `sed -n "$c" f`},
		{`'BEGIN{system("id")}'`, `1`, `awk "$c" f`},
		{`push`, `log`, `git $c`},
		{`--output=W/pwn`, `-p`, `git diff $c`},
		{`/`, `build`, `rm -rf $c`},
		{`'drop table x'`, `'select 1'`, `psql -c "$c"`},
		{`'os.remove("x")'`, `'print(1)'`, `python3 -c "$c"`},
	}
	for _, way := range ways {
		for _, u := range uses {
			line := fmt.Sprintf(way, u.bad, u.good, u.use)
			if v := Judge(line, here()); v.Level == Safe {
				t.Errorf("safe: %s", line)
			}
		}
	}
	for _, line := range []string{ // the worst of all values counts
		`f=~/.bashrc; (f=/dev/null); echo x > $f`,
		`f=/dev/null; f=/etc/passwd; echo x > $f`,
		`f=~/.bashrc; : ${g:=$f}; echo x > $g`,
		`echo x > "${f:-$HOME/.bashrc}"`,
		`for f in out.txt ~/.profile; do echo x > "$f"; done`,
		`a=/etc; b=$a/passwd; (a=x); echo x > $b`,
		`set -- ~/.bashrc; echo x > "$1"`,
		`f() { echo x > "$1"; }; f ~/.bashrc`,
		`bash -c 'echo x > "$1"' _ ~/.bashrc`,
		`d=/; rm -rf $d; d=x`,
		`eval 'f=~/.bashrc'; echo x > $f`,
		`f=~/.bashrc; eval 'echo x > $f'`,
		`a=(-r ~/.bashrc); rm "${a[@]}"`,
	} {
		if v := Judge(line, here()); v.Level != Danger {
			t.Errorf("%s: %s", v.Level, line)
		}
	}
	for _, line := range []string{ // and nothing is asked about that is plain
		`f=x; echo $f`, `d=src; ls "$d"`, `d=src && find $d -name '*.go'`, `p=-print; find . $p`, `for f in *.txt; do wc -l "$f"; done`,
		`for i in 1 2 3; do echo $i; done`, `i=0; while ((i<3)); do echo $i; ((i++)); done`, `n=$(ls | wc -l); echo $((n*2))`,
		`while read -r l; do echo "$l"; done < f`, `c=ls; bash -c "$c"`, `x=1; [[ $x -gt 0 ]] && echo yes`,
		`base=$(git merge-base main HEAD); git diff $base`, `for f in a b; do sort "$f"; done`, `a=(x y); for f in "${a[@]}"; do echo "$f"; done`,
		`declare -A m; while read -r k v; do m[$k]=$v; done < f`, `[ "$#" -eq 0 ] && echo none`, `export f=x; export f; echo $f`,
	} {
		if v := Judge(line, here()); v.Level != Safe && !strings.HasPrefix(line, "export") {
			t.Errorf("%s: %s: %v", v.Level, line, v.Reasons)
		}
	}
}

// TestG1Directories: where a line stands is known only if nothing can keep the change
// of directory from being done, or undo it.
func TestG1Directories(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]Level{
		`cd /etc; (cd /tmp); echo x > passwd`:                 Danger,
		`cd /etc; false && cd /tmp; echo x > passwd`:          Danger,
		`cd /etc; cd /tmp | true; echo x > passwd`:            Danger,
		`cd /etc; pushd /tmp; popd; echo x > passwd`:          Danger,
		`env -C /etc sh -c 'echo x > passwd'`:                 Danger,
		`cd /etc; cd /nonexistent; echo x > passwd`:           Danger,
		`cd /etc; cd /tmp & echo x > passwd`:                  Danger,
		`cd /etc; : $(cd /tmp); echo x > passwd`:              Danger,
		`cd /etc; f() { cd /tmp; }; echo x > passwd`:          Danger,
		`f() { echo x > passwd; }; cd /etc; f`:                Danger,
		`trap 'echo x > passwd' EXIT; cd /etc`:                Danger,
		`for d in /tmp /etc; do cd $d; echo x > passwd; done`: Danger,
		`while true; do echo x > passwd; cd /etc; done`:       Danger,
		`d=/etc; (d=/tmp); cd $d; echo x > passwd`:            Danger,
		`cd .git/hooks && echo x > pre-commit`:                Danger,
		`cd /; cd etc && echo x > passwd`:                     Danger,
		`cd / && cd home/u && echo x > .bashrc`:               Danger,
		`cd /etc && cd - && cd - && echo x > passwd`:          Danger,
		`cd ~/.ssh; cat id_x`:                                 Caution,
		`cd sub && echo x > out.txt`:                          Caution,
		`cd sub && rm -rf build`:                              Caution,
		`cd sub && ls`:                                        Safe,
		`cd; ls`:                                              Safe,
		`(cd sub && rm -rf build); ls`:                        Caution,
		`echo x > ~/../../etc/passwd`:                         Danger,
	} {
		if v := Judge(line, here()); v.Level != want {
			t.Errorf("%s, want %s: %s: %v", v.Level, want, line, v.Reasons)
		}
	}
}

// TestG2Where: git that only reads is safe where the repository was looked at, and
// nowhere else.
func TestG2Where(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]Level{
		`git diff`: Safe, `git log -p | head`: Safe, `ls; git status`: Safe, `cd . && git diff`: Safe, `cd /home/u/project && git status`: Safe,
		`git status && cd vendor`: Safe, `bash -c 'git diff'`: Safe,
		`cd vendor && git diff`: Caution, `(cd ../x; git log -p)`: Caution, `pushd ../x; git diff`: Caution, `pushd ../x; popd; git diff`: Caution,
		`env -C ../x git diff`: Caution, `env --chdir=../x git diff`: Caution, `env -C../x git diff`: Caution,
		`for d in ../x; do cd $d; git diff; done`: Caution, `for d in . ../x; do git diff; cd $d; done`: Caution, `cd ../x; cd - ; git diff`: Caution,
		`f() { git diff; }; cd ../x; f`: Caution, `cd "$d"; git show`: Caution, `bash -c 'cd x; git diff'`: Caution, `cd vendor; cd .. ; git diff`: Caution,
		`find . -name .git -execdir git log -p \;`: Caution, `command cd x; git diff`: Caution, `builtin cd x; git diff`: Caution, `git -C x diff`: Caution,
		`echo $(cd x; git diff)`: Caution, `cd x | git diff`: Caution, `git diff $(cd x; git log)`: Caution, `while git diff; do cd x; done`: Caution,
		`trap 'git diff' EXIT; cd x`: Caution, `coproc cd x; git diff`: Caution, `cd() { builtin cd x; }; cd .; git diff`: Danger, `! cd x; git diff`: Caution,
		`if cd x; then git diff; fi`: Caution, `cd x && env git diff`: Caution, `cd x && nice git diff`: Caution, `cd x; xargs git diff < f`: Caution,
	} {
		if v := Judge(line, here()); v.Level != want {
			t.Errorf("%s, want %s: %s: %v", v.Level, want, line, v.Reasons)
		}
	}
	if v := Judge("cd x && git diff", Here{TrustedGit: true}); v.Level != Caution {
		t.Errorf("where nothing is known of the place: %s", v.Level)
	}
}
