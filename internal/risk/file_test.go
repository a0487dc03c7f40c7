package risk

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestJudgeFile: inside is known, and everything else is closed.
func TestJudgeFile(t *testing.T) {
	t.Parallel()
	at := func(rel string) File {
		return File{Path: "/home/u/work/" + rel, Rel: rel, Project: "/home/u/work", Home: "/home/u", Names: 1}
	}
	outside := func(p string) File { return File{Path: p, Project: "/home/u/work", Home: "/home/u", Names: 1} }
	for _, tt := range []struct {
		file        File
		read, write Level
	}{
		{at("src/a.go"), Safe, Caution},
		{at("Makefile"), Safe, Caution},
		{at(".gitignore"), Safe, Caution},
		{at("a/.editorconfig"), Safe, Caution},
		{at(".env.example"), Safe, Caution},
		{at(".env"), Caution, Danger},
		{at("deploy/.ENV.production"), Caution, Danger},
		{at(".envrc"), Caution, Danger},
		{at("certs/server.key"), Caution, Danger},
		{at("logins/tickets-0123456789abcdef.json"), Caution, Danger},
		{at("logins/logins.md"), Safe, Caution},
		{at("ID_RSA"), Caution, Danger},
		{at(".git/config"), Caution, Danger},
		{at(".git/hooks/pre-commit"), Caution, Danger},
		{at(".GIT/hooks/pre-commit"), Caution, Danger},
		{at(".g\u200cit/hooks/pre-commit"), Caution, Danger},
		{at(".git /hooks/pre-commit"), Caution, Danger},
		{at("GIT~1/hooks/pre-commit"), Caution, Danger},
		{at("sub/.git"), Caution, Danger},
		{at(".ken/config.toml"), Safe, Danger},
		{at(".bashrc"), Safe, Danger},
		{at(".github/workflows/ci.yml"), Safe, Danger},
		{at(".vscode/tasks.json"), Safe, Danger},
		{at(".idea/x.xml"), Safe, Danger},
		{at(".zed/tasks.json"), Safe, Danger},
		{at(".something/that/nobody/knows"), Safe, Danger},
		{at("Jenkinsfile"), Safe, Danger},
		{at("JENKINSFILE"), Safe, Danger},
		{at("node_modules/.bin/x"), Safe, Danger},
		{outside("/home/u/other/a.go"), Caution, Danger},
		{outside("/home/u/.ssh/id_ed25519"), Caution, Danger},
		{outside("/home/u/.aws/credentials"), Caution, Danger},
		{outside("/etc/passwd"), Caution, Danger},
		{outside("/tmp/x"), Caution, Danger},
		{outside("/proc/self/environ"), Caution, Danger},
		{File{Path: "/home/u/a", Rel: "a", Project: "/home/u", Home: "/home/u"}, Caution, Danger},
		{File{Path: "/home/u/a", Rel: "u/a", Project: "/home", Home: "/home/u"}, Caution, Danger},
		{File{Path: "/etc/a", Rel: "a", Project: "/etc", Home: "/home/u"}, Caution, Danger},
		{File{Path: "/a", Rel: "a", Project: "/", Home: "/home/u"}, Caution, Danger},
		{File{Path: "/home/u/.config/x/a", Rel: "a", Project: "/home/u/.config/x", Home: "/home/u"}, Caution, Danger},
		{File{Path: "/opt/app/a", Rel: "a", Project: "/opt/app", Home: "/home/u"}, Safe, Caution},
		{File{Path: "/root/app/a", Rel: "a", Project: "/root/app", Home: "/root"}, Safe, Caution},
		{File{Path: "/tmp/app/a", Rel: "a", Project: "/tmp/app"}, Safe, Caution},
		{File{Path: "/home/u/work/a", Rel: "a", Project: "/home/u/work", Home: "/home/u", Names: 2}, Caution, Danger},
		{File{Path: "/home/u/work/a", Rel: "a", Project: "/home/u/work", Home: "/home/u", Own: true}, Caution, Danger},
		{File{Path: "/home/u/work/store/refs/x", Rel: "store/refs/x", Project: "/home/u/work", Home: "/home/u", Git: true}, Caution, Danger},
		{File{}, Caution, Danger},
	} {
		for write, want := range map[bool]Level{false: tt.read, true: tt.write} {
			f := tt.file
			f.Write = write
			v := JudgeFile(f)
			if v.Level != want {
				t.Errorf("%+v is %s, want %s: %v", f, v.Level, want, v.Reasons)
			}
			checkReasons(t, v)
		}
	}
}

// TestStarts: what another program may run or obey is told from source code and prose; a name that is not known is not taken for these.
func TestStarts(t *testing.T) {
	t.Parallel()
	for want, names := range map[bool][]string{
		false: {
			"a.go", "src/main.rs", "src/app.ts", "lib/user.rb", "docs/guide.md", "README.md", "CHANGELOG.md",
			"docs/License.txt", "index.html", "style.css", "tests/test_user.py", "cmd/tool/main.go", "notes.txt",
			"pkg/agenda.go",
		},
		true: {
			"CLAUDE.md", "claude.md", "docs/AGENTS.md", "GEMINI.md", "CLAUDE.local.md", "SKILL.md", "PLAN.md",
			"copilot-instructions.md", ".cursorrules", ".github/x.md", "Makefile", "makefile", "build.mk",
			"package.json", "package-lock.json", "yarn.lock", "Cargo.toml", "Cargo.lock", "go.mod", "go.sum",
			"pyproject.toml", "setup.py", "conftest.py", "requirements.txt", "requirements-dev.txt", "CMakeLists.txt",
			"Dockerfile", "compose.yaml", "Justfile", "webpack.config.js", "vite.config.ts", "gulpfile.js", "build.rs",
			"build.gradle", "pom.xml", "app.csproj", "deploy.sh", "scripts/x.py", "bin/tool.py", "azure-pipelines.yml",
			"tox.ini", "unknown.zzz", "Procfile", "WORKSPACE", "hooks/pre.py", "vendor/a/a.go", "AGENTS.md ",
			"data.json",
		},
	} {
		for _, name := range names {
			if got := Starts(name); got != want {
				t.Errorf("%s: %v", name, got)
			}
		}
	}
}

func checkReasons(t interface{ Errorf(string, ...any) }, v Assessment) {
	most := Safe
	for _, r := range v.Reasons {
		most = max(most, r.Level)
		if r.Why == "" {
			t.Errorf("a reason without words: %+v", v.Reasons)
		}
	}
	if most != v.Level {
		t.Errorf("%s for the reasons %v", v.Level, v.Reasons)
	}
}

// TestJudgeFileLaws: writing is never below reading and never safe; what is not in the project
// never below what is; a part with a dot anywhere, in whatever case, closes a path for writing.
func TestJudgeFileLaws(t *testing.T) {
	t.Parallel()
	part := rapid.StringMatching(`\.?[a-zA-Z]{1,6}(\.(go|md|key|pem|env))?`)
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOfN(part, 1, 4).Draw(t, "path")
		rel := strings.Join(parts, "/")
		f := File{Path: "/w/p/" + rel, Rel: rel, Project: "/w/p", Home: "/home/u", Names: rapid.IntRange(0, 3).Draw(t, "names")}
		w := f
		w.Write = true
		read, write := JudgeFile(f), JudgeFile(w)
		if write.Level < read.Level || write.Level == Safe {
			t.Fatalf("%q: reading is %s, writing %s", rel, read.Level, write.Level)
		}
		for _, one := range []File{f, w} {
			out := one
			out.Rel = ""
			if JudgeFile(out).Level < JudgeFile(one).Level || JudgeFile(out).Level == Safe {
				t.Fatalf("%q is %s inside and %s outside", rel, JudgeFile(one).Level, JudgeFile(out).Level)
			}
			for _, also := range []func(string) string{strings.ToUpper, strings.ToLower} {
				same := one
				same.Rel = also(rel)
				if strings.Contains("/"+rel, "/.") && one.Write && JudgeFile(same).Level != JudgeFile(one).Level {
					t.Fatalf("%q is %s, %q %s", rel, JudgeFile(one).Level, same.Rel, JudgeFile(same).Level)
				}
			}
		}
	})
}
