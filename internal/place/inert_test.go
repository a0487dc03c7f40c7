package place

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestInert: settings that name a program make a repository one that is not inert,
// and so does what is not known.
func TestInert(t *testing.T) {
	t.Parallel()
	usual := "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\tlogallrefupdates = true\n" +
		"[remote \"origin\"]\n\turl = https://github.com/me/x\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n" +
		"[branch \"main\"]\n\tremote = origin\n\tmerge = refs/heads/main\n[user]\n\tname = Me\n"
	for _, c := range []struct{ name, config, want string }{
		{"as git makes it", usual, ""},
		{"empty", "", ""},
		{"a monitor", usual + "[core]\n\tfsmonitor = ./evil\n", "core.fsmonitor"},
		{"a monitor in capitals", "[CORE] FSMonitor = ./evil\n", "core.fsmonitor"},
		{"hooks elsewhere", "[core]\nhooksPath = .evil\n", "core.hookspath"},
		{"a pager", "[core]\npager = evil\n", "core.pager"},
		{"a pager for a command", "[pager]\nlog = evil\n", "pager.log"},
		{"a diff driver", "[diff \"x\"]\ntextconv = evil\n", "diff.x.textconv"},
		{"an external diff", "[diff]\nexternal = evil\n", "diff.external"},
		{"a filter", "[filter \"x\"]\nclean = evil\n", "filter.x.clean"},
		{"an alias", "[alias]\nst = !evil\n", "alias.st"},
		{"an include", "[include]\npath = other\n", "include.path"},
		{"an include in older form", "[includeIf.gitdir]\npath = other\n", "includeif.gitdir.path"},
		{"ssh", "[core]\nsshCommand = evil\n", "core.sshcommand"},
		{"a remote helper", "[remote \"x\"]\nuploadpack = evil\n", "remote.x.uploadpack"},
		{"signatures", "[gpg]\nprogram = evil\n", "gpg.program"},
		{"a worktree elsewhere", "[core]\nworktree = /\n", "core.worktree"},
		{"settings of the worktree", "[extensions]\nworktreeConfig = true\n", "extensions.worktreeconfig"},
		{"a partial clone", "[extensions]\npartialClone = origin\n", "extensions.partialclone"},
		{"nobody's", "[\"bad\nfsmonitor = evil\n", "lines that are none"},
		{"no section", "fsmonitor = evil\n", "lines that are none"},
		{"no setting", usual + "= evil\n", "lines that are none"},
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "config"), []byte(c.config), 0o600); err != nil {
			t.Fatal(err)
		}
		err := (&Repo{CommonDir: dir}).Inert()
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.HasSuffix(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "hooks"), 0o700); err != nil {
		t.Fatal(err)
	}
	r := &Repo{CommonDir: dir}
	for _, name := range []string{"hooks/pre-commit", "hooks/post-index-change.sample"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := r.Inert(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "hooks", "post-index-change"), nil, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := r.Inert(); err == nil {
		t.Error("a hook that reading runs was let pass")
	}
}

// TestInertPlace: git takes a directory that has the files of a repository for one.
func TestInertPlace(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	make := func(names ...string) {
		for _, name := range names {
			path := filepath.Join(top, filepath.FromSlash(name))
			if strings.HasSuffix(name, "/") {
				if err := os.MkdirAll(path, 0o700); err != nil {
					t.Fatal(err)
				}
			} else if err := os.WriteFile(path, []byte("ref: refs/heads/main\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	inert := func(dir string) error {
		p, err := Find(filepath.Join(top, filepath.FromSlash(dir)), "")
		if err != nil {
			t.Fatal(err)
		}
		return p.Inert()
	}
	make(".git/", ".git/HEAD", "plain/", "bare/", "bare/HEAD", "bare/below/")
	if inert(".") == nil {
		t.Error("a repository without objects is none to git")
	}
	make(".git/objects/", ".git/refs/", "bare/objects/", "odd/.git/")
	for _, dir := range []string{".", "plain", "bare"} {
		if err := inert(dir); err != nil {
			t.Errorf("%s: %v", dir, err)
		}
	}
	make("bare/refs/")
	for _, dir := range []string{"bare", "bare/below", "odd"} {
		if inert(dir) == nil {
			t.Errorf("%s is no place where it is known what git reads", dir)
		}
	}
	if (Place{}).Inert() == nil {
		t.Error("nowhere is inert")
	}
}
