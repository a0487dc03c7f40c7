//go:build unix

package runner

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ken/internal/place"
	"ken/internal/proctest"
	"ken/internal/risk"
	"ken/internal/tool/environ"
	"ken/internal/tool/lane"
)

// setUps make a directory, W, whose git runs $EVIL if it gets the chance. Each begins in
// a repository with two commits and a change that is not committed; "at" is where the
// commands stand.
func setUps() []struct{ name, at, sh string } {
	sub := `git init -q sub; cd sub; git config user.name x; git config user.email x@e.org; echo a >a; git add a; git commit -qm a; echo b >>a; `
	return []struct{ name, at, sh string }{
		{"nothing", ".", `:`},
		{"a monitor", ".", `git config core.fsmonitor "$EVIL"`},
		{"an external diff", ".", `git config diff.external "$EVIL"`},
		{"textconv", ".", `echo 'a diff=x' >.gitattributes; git config diff.x.textconv "$EVIL"`},
		{"textconv of info", ".", `echo 'a diff=x' >.git/info/attributes; git config diff.x.textconv "$EVIL"`},
		{"a driver", ".", `echo 'a diff=x' >.gitattributes; git config diff.x.command "$EVIL"`},
		{"a clean filter", ".", `echo 'a filter=x' >.gitattributes; git config filter.x.clean "$EVIL"`},
		{"a smudge filter", ".", `echo 'a filter=x' >.gitattributes; git config filter.x.smudge "$EVIL"; git config filter.x.required true`},
		{"a process filter", ".", `echo 'a filter=x' >.gitattributes; git config filter.x.process "$EVIL"`},
		{"a merge driver", ".", `echo 'a merge=x' >.gitattributes; git config merge.x.driver "$EVIL"`},
		{"a pager", ".", `git config core.pager "$EVIL"`},
		{"a pager of a command", ".", `git config pager.log "$EVIL"; git config pager.diff "$EVIL"; git config pager.status "$EVIL"`},
		{"an editor", ".", `git config core.editor "$EVIL"; git config sequence.editor "$EVIL"`},
		{"gpg", ".", `git config gpg.program "$EVIL"; git config log.showSignature true`},
		{"gpg by ssh", ".", `git config gpg.format ssh; git config gpg.ssh.program "$EVIL"; git config log.showSignature true`},
		{"ssh", ".", `git config core.sshCommand "$EVIL"; git remote add o ssh://h/x`},
		{"an ext remote", ".", `git remote add o "ext::$EVIL"; git config protocol.ext.allow always`},
		{"a helper", ".", `git config credential.helper "$EVIL"`},
		{"askpass", ".", `git config core.askPass "$EVIL"`},
		{"an alias", ".", `git config alias.st "!$EVIL"; git config alias.status "!$EVIL"`},
		{"an include", ".", `printf '[core]\n\tfsmonitor = %s\n' "$EVIL" >.git/more; git config include.path more`},
		{"an include for a place", ".", `printf '[core]\n\tfsmonitor = %s\n' "$EVIL" >.git/more; git config "includeIf.gitdir:**.path" more`},
		{"hooks", ".", `for h in post-index-change pre-commit fsmonitor-watchman post-checkout reference-transaction; do cp "$EVIL" .git/hooks/$h; done`},
		{"hooks elsewhere", ".", `mkdir h; cp "$EVIL" h/post-index-change; git config core.hooksPath h`},
		{"settings of a worktree", ".", `git config extensions.worktreeConfig true; git config --worktree core.fsmonitor "$EVIL"`},
		{"another worktree", "wt", `git worktree add -q wt; git config core.fsmonitor "$EVIL"`},
		{"another worktree with its settings", "wt", `git worktree add -q wt; git config extensions.worktreeConfig true; cd wt; git config --worktree core.fsmonitor "$EVIL"`},
		{"a worktree elsewhere", ".", `git config core.worktree ../other; mkdir -p ../other; git config core.fsmonitor "$EVIL"`},
		{"a repository below", "sub", sub + `git config core.fsmonitor "$EVIL"`},
		{"a repository below, from above", ".", sub + `git config core.fsmonitor "$EVIL"; cd ..; git add sub 2>/dev/null`},
		{"a repository below with textconv", ".", sub + `echo 'a diff=x' >.gitattributes; git config diff.x.textconv "$EVIL"; git config diff.external "$EVIL"`},
		{"a submodule", ".", sub + `cd ..; git -c protocol.file.allow=always submodule add -q ./sub mod 2>/dev/null; git commit -qm m; echo c >>mod/a; cd mod; git config core.fsmonitor "$EVIL"; git config diff.external "$EVIL"`},
		{"a submodule that is updated by a command", ".", sub + `cd ..; git -c protocol.file.allow=always submodule add -q ./sub mod 2>/dev/null; git commit -qm m; git config submodule.mod.update "!$EVIL"`},
		{"a submodule's summary", ".", sub + `git config core.fsmonitor "$EVIL"; git config diff.external "$EVIL"; cd ..; git add sub 2>/dev/null; git commit -qm m; echo d >sub/a; git config status.submoduleSummary true; git config diff.submodule diff`},
		{"the directory is bare", "bare", `git init -q --bare bare; git push -q bare HEAD:refs/heads/master; git -C bare config core.fsmonitor "$EVIL"; git -C bare config diff.external "$EVIL"; git -C bare config core.pager "$EVIL"; git add bare`},
		{"the directory is bare with textconv", "bare", `git init -q --bare bare; echo 'a diff=x' >.gitattributes; git add .gitattributes; git commit -qm t; git push -q bare HEAD:refs/heads/master; git -C bare config diff.x.textconv "$EVIL"; echo 'a diff=x' >bare/info/attributes`},
		{"below a bare one", "bare/below", `git init -q --bare bare; git push -q bare HEAD:refs/heads/master; mkdir bare/below; git -C bare config diff.external "$EVIL"`},
		{"bare by its settings", "bare", `git init -q --bare bare; git push -q bare HEAD:refs/heads/master; git -C bare config core.bare false; git -C bare config core.worktree ..; git -C bare config core.fsmonitor "$EVIL"; git -C bare config diff.external "$EVIL"`},
		{"bare with links", "bare", `git init -q --bare real; git push -q real HEAD:refs/heads/master; git -C real config diff.external "$EVIL"; mkdir bare; for f in HEAD config objects refs; do ln -s ../real/$f bare/$f; done`},
		{"a file that points elsewhere", "other", `git init -q real; mkdir other; echo 'gitdir: ../real/.git' >other/.git; git -C real config core.fsmonitor "$EVIL"`},
		{"a file that points to a bare one", "other", `git init -q --bare real; git push -q real HEAD:refs/heads/master; mkdir other; echo 'gitdir: ../real' >other/.git; git -C real config core.bare false; git -C real config diff.external "$EVIL"; git -C real config core.fsmonitor "$EVIL"`},
		{"common files elsewhere", ".", `git init -q --bare ../real; git push -q ../real HEAD:refs/heads/master; git -C ../real config core.bare false; git -C ../real config core.fsmonitor "$EVIL"; echo ../../real >.git/commondir`},
		{"a repository that is none", "sub", `mkdir -p sub/.git; cp .git/HEAD sub/.git; printf '[core]\n' >sub/.git/config; git config core.fsmonitor "$EVIL"; git config diff.external "$EVIL"`},
		{"a repository that is broken", "sub", `mkdir sub; echo nonsense >sub/.git; git config core.fsmonitor "$EVIL"`},
		{"a link to another", "sub", `git init -q real; git -C real config core.fsmonitor "$EVIL"; mkdir sub; ln -s ../real/.git sub/.git`},
		{"lazy fetches", ".", `git config extensions.partialClone o; git config remote.o.promisor true; git config remote.o.url "ext::$EVIL"; git config protocol.ext.allow always; rm -rf .git/objects/??`},
		{"alternates by a command", ".", `git config core.alternateRefsCommand "$EVIL"`},
		{"trailers", ".", `git config trailer.x.command "$EVIL"`},
		{"a browser", ".", `git config browser.x.cmd "$EVIL"; git config help.browser x`},
		{"tools", ".", `git config difftool.x.cmd "$EVIL"; git config diff.tool x; git config mergetool.x.cmd "$EVIL"`},
		{"odd spelling", ".", `printf '[CORE]\n\tFsMonitor = %s\n' "$EVIL" >>.git/config`},
		{"a continued line", ".", `printf '[core]\n\tfsmon\\\nitor = x\n\tfsmonitor = \\\n%s\n' "$EVIL" >>.git/config`},
		{"a section of a line", ".", `printf '[core]fsmonitor=%s\n' "$EVIL" >>.git/config`},
		{"other marks of the line", ".", `printf '\357\273\277[core]\r\n\tfsmonitor = %s\r\n' "$EVIL" >.git/config`},
	}
}

// TestG2SetUps: whatever a repository says, what is called safe runs nothing of it. The
// lines run as a model's would.
func TestG2SetUps(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Fatal("git is not there, which the tests need: see README")
	}
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash")
	}
	lines := []string{
		"git status", "git diff", "git log -p -1", "git show", "git diff HEAD~1", "git blame a", "git stash list", "git branch -a", "git grep o", "git log --format=%G?",
		"git describe --always --dirty", "git diff --submodule=diff", "git status --ignore-submodules=none", "git submodule status", "git --bare show", "git -C sub status",
		"cd sub && git diff", "(cd bare; git show)", "for d in sub bare; do cd $d; git diff; done", "env -i PATH=$PATH git show", "unset GIT_CONFIG_COUNT; git show",
	}
	all := setUps()
	if len(all) < 40 {
		t.Fatalf("%d set-ups", len(all))
	}
	ran := 0
	for _, c := range all {
		root := t.TempDir()
		mark, evil, dir := filepath.Join(root, "ran"), filepath.Join(root, "evil"), filepath.Join(root, "w")
		script := "#!/bin/sh\necho \"$0 $*\" >>" + mark + "\ncat 2>/dev/null\n"
		if err := os.WriteFile(evil, []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
		env := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + root, "EVIL=" + evil, "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C"}
		sh := "mkdir w; cd w; git init -q -b master .; git config user.name x; git config user.email x@e.org; echo one >a; git add a; git commit -qm one; echo two >a; git commit -qam two; echo three >a\n" + c.sh
		if out, err := apart(t, bash, root, env, sh); err != nil && c.name == "nothing" {
			t.Fatalf("%s: %v: %s", c.name, err, out)
		}
		at, err := place.Find(filepath.Join(dir, c.at), root)
		if err != nil {
			t.Fatal(err)
		}
		here := risk.Here{Dir: at.Abs, Home: root, TrustedGit: at.Repo != nil && at.Inert() == nil}
		if c.name == "nothing" && !here.TrustedGit {
			t.Errorf("an ordinary repository is not trusted: %v", at.Inert())
		}
		for _, line := range lines {
			_ = os.Remove(mark)
			if risk.Judge(line, here).Level != risk.Safe {
				continue
			}
			ran++
			calm, _ := lane.Environ(env, true, environ.Filter{})
			_, err := lane.Run(t.Context(), lane.Command{
				Line: line, Shell: bash, Bash: true, Dir: at.Abs, Env: calm, Limit: 20 * time.Second, Keep: 4096,
			})
			if err != nil {
				t.Errorf("%s: %s: %v", c.name, line, err)
			}
			if text, err := os.ReadFile(mark); err == nil {
				t.Errorf("%s: %s ran %s", c.name, line, strings.TrimSpace(string(text)))
			}
		}
	}
	if ran < 15 {
		t.Errorf("%d lines were safe: nothing is shown", ran)
	}
}

// apart runs a script in a session of its own.
func apart(t *testing.T, bash, dir string, env []string, script string) (string, error) {
	t.Helper()
	cmd := proctest.Command(t, bash, "--norc", "-c", script)
	cmd.Dir, cmd.Env = dir, env
	cmd.WaitDelay = time.Second
	out, err := cmd.CombinedOutput()
	return string(out), err
}
