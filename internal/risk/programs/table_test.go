package programs

import (
	"strings"
	"testing"
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
			if r.level > Danger || r.op > Danger {
				t.Errorf("%s: level %d, %d", name, r.level, r.op)
			}
			for f, u := range r.flags {
				if f[0] != '-' || u.level > Danger {
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

func words(line string) []Word {
	var out []Word
	for _, f := range strings.Fields(line) {
		out = append(out, Word{Text: f})
	}
	return out
}

// TestLook: flags count whatever their form, and a flag that is not listed is never
// safe.
func TestLook(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]Level{
		"sort -k2 -t, f":                  Safe,
		"sort -ro f g":                    Safe, // the file is an operation
		"sort --compress-program=x f":     Danger,
		"sort --comp x f":                 Danger,
		"sort --no-such f":                Caution,
		"wc --no-such f":                  Caution,
		"uniq a b":                        Safe, // the file is an operation
		"no-such-program":                 Caution,
		"./ls":                            Caution,
		"/usr/bin/ls -l":                  Safe,
		"kubectl -n x get pods":           Safe,
		"kubectl get pods -n delete":      Safe,
		"kubectl delete pods x":           Danger,
		"aws --profile p ec2 describe-x":  Safe,
		"aws ec2 terminate-instances":     Danger,
		"git -c core.pager=x log":         Danger,
		"docker rm x":                     Caution,
		"docker rm -f x":                  Danger,
		"systemctl --failed":              Safe,
		"systemctl --failed poweroff":     Danger,
		"rm --version":                    Safe,
		"npm install --help":              Safe,
		"nice --help":                     Safe,
		"bash --help -c x":                Safe, // what it runs is an operation
		"terraform -chdir=x destroy":      Danger,
		"terraform plan -destroy":         Caution,
		"find . -name x -newerXY y -ls":   Safe,
		"find . -unknown":                 Caution,
		"ld-linux-x86-64.so.2 /bin/true":  Danger,
		"dd if=/dev/zero of=/dev/sda":     Danger,
		"crontab":                         Caution,
		"crontab -r":                      Danger,
		"xargs":                           Safe,
		"redis-cli -h x GET y":            Safe,
		"redis-cli CONFIG SET dir /":      Danger,
		"python3 --version":               Safe,
		"node --version":                  Safe,
		"parallel":                        Danger,
		"openssl x509 -in c -noout -text": Safe,
	} {
		res := Look(Call{Words: words(line), TrustedGit: true})
		got := Safe
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
	for line, want := range map[string]Level{
		"less +G f":                      Safe,
		"less +120 f":                    Safe,
		"less +/word f":                  Safe,
		"less ++F f":                     Safe,
		"less +!make f":                  Danger,
		"less f +|^sh":                   Danger,
		"more +v f":                      Danger,
		"xzless ++!id f.xz":              Danger,
		"dc -e 2_3*p":                    Safe,
		"dc -e 2_3!<a":                   Safe,
		"dc -e 1!id":                     Danger,
		"dc f":                           Caution,
		"dc --file=f":                    Caution,
		"calc 2*3":                       Safe,
		"calc system(\"id\")":            Danger,
		"mlr --icsv --ojson filter f":    Caution, // .mlrc of the directory
		"mlr -n put end{system(\"x\")":   Danger,
		"mlr put tee>$a.csv,$*":          Caution,
		"lnav f":                         Caution,
		"lnav -c :open f":                Caution,
		"lnav -c :shexec":                Danger,
		"multitail f g":                  Safe,
		"multitail -l x":                 Caution,
		"ldd /usr/bin/env":               Safe,
		"ldd ./env":                      Caution,
		"ldd /usr/../tmp/env":            Caution,
		"pydoc json.loads":               Safe,
		"pydoc3 ./x.py":                  Caution,
		"split f":                        Caution,
		"perf stat ls":                   Caution,
		"gdb --args ls":                  Caution,
		"fzf --preview ls":               Caution,
		"info -o f bash":                 Safe, // the file is an operation
		"sar -u 1 1":                     Safe,
		"neofetch --config f":            Danger,
		"ansible-inventory -i f":         Caution,
		"lastlog -C":                     Caution,
		"kubectl --kubeconfig f get x":   Caution,
		"java -version":                  Safe,
		"java -version -javaagent:f":     Caution,
		"gcc -v":                         Safe,
		"clang -v f.c":                   Caution,
		"ant -v deploy":                  Caution,
		"cmake --version":                Safe,
		"cmake -version -P f":            Caution,
		"openssl speed":                  Safe,
		"openssl speed -engine f":        Danger,
		"openssl list -provider-path f":  Danger,
		"gem sources":                    Safe,
		"gem sources --add x":            Danger,
		"conda config --show":            Safe,
		"conda config --add channels x":  Danger,
		"poetry config --list":           Safe,
		"poetry config repositories.x y": Caution,
		"asdf current":                   Safe,
		"asdf env ruby ls":               Caution,
		"terraform providers":            Safe,
		"terraform providers mirror d":   Caution,
		"aws s3api get-object --key k f": Caution,
		"aws s3api get-bucket-acl":       Safe,
		"uv python list":                 Caution, // asks the interpreter of the directory
		"uv python uninstall --all":      Caution,
		"jobs -l":                        Safe,
		"jobs -x ls":                     Caution,
		"sdiff a b":                      Safe,
		"sdiff --diff-program=f a b":     Danger,
		"zdiff a.gz b.gz":                Safe,
		"cowsay hello":                   Safe,
		"cowsay -f ./f hello":            Caution,
		"lshw -short":                    Safe,
		"resolvectl dns":                 Safe,
		"resolvectl dns eth0 1.1.1.1":    Danger,
	} {
		res := Look(Call{Words: words(line), TrustedGit: true})
		got := Safe
		for _, e := range res.Effects {
			got = max(got, e.Level)
		}
		if got != want {
			t.Errorf("%q: %d, want %d: %+v", line, got, want, res.Effects)
		}
	}
}
