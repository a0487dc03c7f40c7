package risk

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestBeyond: what may reach another machine or a file elsewhere is told from what works in the project, and what is not
// known is taken for the former.
func TestBeyond(t *testing.T) {
	t.Parallel()
	within := func(path string) bool {
		if filepath.IsAbs(path) {
			return strings.HasPrefix(path, "/work/tea/")
		}
		return !strings.HasPrefix(path, "~") && filepath.IsLocal(path)
	}
	for _, list := range []struct {
		want  bool
		lines string
	}{
		{false, `ls|git status|touch a|make test|go test ./...|git commit -m x|rm -r build|cp a /work/tea/b|npm test|tee a`},
		{true, `git push|git push origin main|git fetch|git pull|git clone https://h/x|curl https://h|wget h|npm install x|pip install x`},
		{true, `go get x|ssh h|scp a h:|dig x.h|nslookup x|ping h|touch /etc/x|cp a ~/.bashrc|tee ../x|make -C/etc|tar -xf a -C /`},
		{true, `python x.py|nosuch a|touch $a|a=1 touch b|touch a > /etc/x|./x.sh|/tmp/git add a|gh pr create|touch a; curl h|if`},
		{true, `sh -c 'curl h'|rsync a h:b|tar cf h:a b|cp --target-directory=/etc a`},
	} {
		for line := range strings.SplitSeq(list.lines, "|") {
			if _, got := Beyond(Judge(line, Here{Dir: "/work/tea", Home: "/home/ada", TrustedGit: true}), within); got != list.want {
				t.Errorf("%s: %v", line, got)
			}
		}
	}
	for line, want := range map[string]bool{
		"cat a": false, "cat /etc/hosts": true, "bash -c 'cat /tmp/x'": true, "grep -r x .": false, "cat ../a": true, "cat ~/x": true,
	} {
		if got := Elsewhere(Judge(line, Here{Dir: "/work/tea"}).Commands, within); got != want {
			t.Errorf("%s: %v", line, got)
		}
	}
}
