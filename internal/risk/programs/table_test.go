package programs

import (
	"strings"
	"testing"

	"ken/internal/risk/programs/call"
)

// TestTable: every row can be read, and says what its flags are in a way that the
// reader of rows understands.
func TestTable(t *testing.T) {
	t.Parallel()
	if n := len(known().lines); n < 900 {
		t.Errorf("%d programs", n)
	}
	for name, all := range everyRow(t) {
		if name == "" || strings.ContainsAny(name, " =") {
			t.Errorf("a program named %q", name)
		}
		for _, r := range all {
			if r.level > call.Danger || r.op > call.Danger {
				t.Errorf("%s: level %d, %d", name, r.level, r.op)
			}
			for f, u := range r.flags {
				if f[0] != '-' || u.level > call.Danger {
					t.Errorf("%s: flag %q %+v", name, f, u)
				}
			}
		}
	}
}

// everyRow reads all rows.
func everyRow(t *testing.T) map[string][]row {
	t.Helper()
	out := map[string][]row{}
	for name, lines := range known().lines {
		func() {
			defer func() {
				if p := recover(); p != nil {
					t.Errorf("%s: %v\n%s", name, p, strings.Join(lines, "\n"))
				}
			}()
			out[name] = rowsOf(name)
		}()
	}
	return out
}

// TestSafeIsStated: a row of level safe has one name, says of all five effects that
// there is none, rests on words in their places, and lets no option pass that it does
// not list.
func TestSafeIsStated(t *testing.T) {
	t.Parallel()
	for name, lines := range known().lines {
		for _, line := range lines {
			head, rest, _ := strings.Cut(line, ": ")
			if !strings.HasPrefix(rest, "s ") {
				continue
			}
			r := readRow(strings.Fields(head)[1:], rest)
			switch {
			case strings.Contains(strings.Fields(head)[0], "|") && name != "|":
				t.Errorf("more than one name: %.80s", line)
			case r.effects != "-----":
				t.Errorf("effects are not stated: %.80s", line)
			case r.anyFlag:
				t.Errorf("any option: %.80s", line)
			case strings.Contains(head, ".."):
				t.Errorf("a word anywhere: %.80s", line)
			}
		}
	}
}

func words(line string) []call.Word {
	var out []call.Word
	for _, f := range strings.Fields(line) {
		out = append(out, call.Word{Text: f})
	}
	return out
}

// TestLook: flags count whatever their form, and a flag that is not listed is never
// safe.
func TestLook(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]call.Level{
		"sort -k2 -t, f":                  call.Safe,
		"sort -ro f g":                    call.Safe, // the file is a deed
		"sort --compress-program=x f":     call.Danger,
		"sort --comp x f":                 call.Danger,
		"sort --no-such f":                call.Caution,
		"wc --no-such f":                  call.Caution,
		"uniq a b":                        call.Safe, // the file is a deed
		"no-such-program":                 call.Caution,
		"./ls":                            call.Caution,
		"/usr/bin/ls -l":                  call.Safe,
		"kubectl -n x get pods":           call.Safe,
		"kubectl get pods -n delete":      call.Safe,
		"kubectl delete pods x":           call.Danger,
		"aws --profile p ec2 describe-x":  call.Safe,
		"aws ec2 terminate-instances":     call.Danger,
		"git -c core.pager=x log":         call.Danger,
		"docker rm x":                     call.Caution,
		"docker rm -f x":                  call.Danger,
		"systemctl --failed":              call.Safe,
		"systemctl --failed poweroff":     call.Danger,
		"rm --version":                    call.Safe,
		"npm install --help":              call.Safe,
		"nice --help":                     call.Safe,
		"bash --help -c x":                call.Safe, // what it runs is a deed
		"terraform -chdir=x destroy":      call.Danger,
		"terraform plan -destroy":         call.Caution,
		"find . -name x -newerXY y -ls":   call.Safe,
		"find . -unknown":                 call.Caution,
		"ld-linux-x86-64.so.2 /bin/true":  call.Danger,
		"dd if=/dev/zero of=/dev/sda":     call.Danger,
		"crontab":                         call.Caution,
		"crontab -r":                      call.Danger,
		"xargs":                           call.Safe,
		"redis-cli -h x GET y":            call.Safe,
		"redis-cli CONFIG SET dir /":      call.Danger,
		"python3 --version":               call.Safe,
		"node --version":                  call.Safe,
		"parallel":                        call.Danger,
		"openssl x509 -in c -noout -text": call.Safe,
	} {
		res := Look(call.Call{Words: words(line), TrustedGit: true})
		got := call.Safe
		for _, e := range res.Effects {
			got = max(got, e.Level)
		}
		if got != want {
			t.Errorf("%q: %d, want %d: %+v", line, got, want, res.Effects)
		}
	}
}

// TestHatches: programs that read and print, and run or write by the words that they
// take.
func TestHatches(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]call.Level{
		"less +G f":                      call.Safe,
		"less +120 f":                    call.Safe,
		"less +/word f":                  call.Safe,
		"less ++F f":                     call.Safe,
		"less +!make f":                  call.Danger,
		"less f +|^sh":                   call.Danger,
		"more +v f":                      call.Danger,
		"xzless ++!id f.xz":              call.Danger,
		"dc -e 2_3*p":                    call.Safe,
		"dc -e 2_3!<a":                   call.Safe,
		"dc -e 1!id":                     call.Danger,
		"dc f":                           call.Caution,
		"dc --file=f":                    call.Caution,
		"calc 2*3":                       call.Safe,
		"calc system(\"id\")":            call.Danger,
		"mlr --icsv --ojson filter f":    call.Caution, // .mlrc of the directory
		"mlr -n put end{system(\"x\")":   call.Danger,
		"mlr put tee>$a.csv,$*":          call.Caution,
		"lnav f":                         call.Caution,
		"lnav -c :open f":                call.Caution,
		"lnav -c :shexec":                call.Danger,
		"multitail f g":                  call.Safe,
		"multitail -l x":                 call.Caution,
		"ldd /usr/bin/env":               call.Safe,
		"ldd ./env":                      call.Caution,
		"ldd /usr/../tmp/env":            call.Caution,
		"pydoc json.loads":               call.Safe,
		"pydoc3 ./x.py":                  call.Caution,
		"split f":                        call.Caution,
		"perf stat ls":                   call.Caution,
		"gdb --args ls":                  call.Caution,
		"fzf --preview ls":               call.Caution,
		"info -o f bash":                 call.Safe, // the file is a deed
		"sar -u 1 1":                     call.Safe,
		"neofetch --config f":            call.Danger,
		"ansible-inventory -i f":         call.Caution,
		"lastlog -C":                     call.Caution,
		"kubectl --kubeconfig f get x":   call.Caution,
		"java -version":                  call.Safe,
		"java -version -javaagent:f":     call.Caution,
		"gcc -v":                         call.Safe,
		"clang -v f.c":                   call.Caution,
		"ant -v deploy":                  call.Caution,
		"cmake --version":                call.Safe,
		"cmake -version -P f":            call.Caution,
		"openssl speed":                  call.Safe,
		"openssl speed -engine f":        call.Danger,
		"openssl list -provider-path f":  call.Danger,
		"gem sources":                    call.Safe,
		"gem sources --add x":            call.Danger,
		"conda config --show":            call.Safe,
		"conda config --add channels x":  call.Danger,
		"poetry config --list":           call.Safe,
		"poetry config repositories.x y": call.Caution,
		"asdf current":                   call.Safe,
		"asdf env ruby ls":               call.Caution,
		"terraform providers":            call.Safe,
		"terraform providers mirror d":   call.Caution,
		"aws s3api get-object --key k f": call.Caution,
		"aws s3api get-bucket-acl":       call.Safe,
		"uv python list":                 call.Caution, // asks the interpreter of the directory
		"uv python uninstall --all":      call.Caution,
		"jobs -l":                        call.Safe,
		"jobs -x ls":                     call.Caution,
		"sdiff a b":                      call.Safe,
		"sdiff --diff-program=f a b":     call.Danger,
		"zdiff a.gz b.gz":                call.Safe,
		"cowsay hello":                   call.Safe,
		"cowsay -f ./f hello":            call.Caution,
		"lshw -short":                    call.Safe,
		"resolvectl dns":                 call.Safe,
		"resolvectl dns eth0 1.1.1.1":    call.Danger,
	} {
		res := Look(call.Call{Words: words(line), TrustedGit: true})
		got := call.Safe
		for _, e := range res.Effects {
			got = max(got, e.Level)
		}
		if got != want {
			t.Errorf("%q: %d, want %d: %+v", line, got, want, res.Effects)
		}
	}
}
