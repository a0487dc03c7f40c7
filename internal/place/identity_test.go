package place

import (
	"strings"
	"testing"
)

func TestB8Identity(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ address, want string }{
		// One repository, however it is spelled.
		{"git@github.com:me/aish.git", "github.com/me/aish"},
		{"git@github.com:me/aish", "github.com/me/aish"},
		{"git@github.com:/me/aish/", "github.com/me/aish"},
		{"github.com:me/aish.git", "github.com/me/aish"},
		{"me@[github.com:22]:me/aish.git", "github.com/me/aish"},
		{"ssh://git@github.com/me/aish.git", "github.com/me/aish"},
		{"ssh://git@github.com:22/me/aish.git", "github.com/me/aish"},
		{"git+ssh://git@GitHub.com/Me/Aish", "github.com/me/aish"},
		{"https://github.com/me/aish.git", "github.com/me/aish"},
		{"https://github.com/me/aish.GIT/", "github.com/me/aish"},
		{"https://me:password@github.com:443/me/aish", "github.com/me/aish"},
		{"https://me:p@ss:word@github.com/me/aish", "github.com/me/aish"},
		{"https://github.com//me///aish.git?token=x#y", "github.com/me/aish"},
		{"HTTPS://github.com./me/aish", "github.com/me/aish"},
		{"git://github.com/me/aish.git", "github.com/me/aish"},

		{"ssh://git@ssh.github.com:443/me/aish.git", "github.com/me/aish"},
		{"ssh://git@altssh.GitLab.com:443/me/aish.git", "gitlab.com/me/aish"},
		{"git@altssh.bitbucket.org:me/aish", "bitbucket.org/me/aish"},

		{"https://gitlab.com/group/sub/group/repo.git", "gitlab.com/group/sub/group/repo"},
		{"git@ssh.dev.azure.com:v3/org/project/repo", "ssh.dev.azure.com/v3/org/project/repo"},
		{"ssh://host.xz/~me/repo.git", "host.xz/~me/repo"},
		{"host.xz:~me/repo.git", "host.xz/~me/repo"},
		{"ssh://git@[2001:DB8::1]:2222/me/aish", "[2001:db8::1]/me/aish"},
		{"git@[2001:db8::1]:me/aish.git", "[2001:db8::1]/me/aish"},
		{"[::1]:me/aish", "[::1]/me/aish"},
		{"https://example.com/My%20Project/_git/repo", "example.com/my%20project/_git/repo"},
		{"git@work:me/aish.git", "work/me/aish"}, // an alias of ssh is taken for a host
		{"u@h:repo", "h/repo"},
		{"https://github.com/me/.git", "github.com/me"},
		{"https://github.com/me/a.github", "github.com/me/a.github"},

		// No host, so no identity.
		{"", ""},
		{"/srv/git/aish.git", ""},
		{"../aish", ""},
		{"./host:path", ""},
		{"~/src/aish", ""},
		{"aish", ""},
		{"file:///srv/git/aish.git", ""},
		{"file://host/srv/aish.git", ""},
		{`C:\src\aish`, ""},
		{"C:/src/aish", ""},
		{"c:aish", ""},
		{"ext::ssh -i key host %S repo", ""},
		{"codecommit::eu-west-1://aish", ""},
		{"rsync://host/path", ""},
		{"https://", ""},
		{"https:///path", ""},
		{"https://github.com", ""},
		{"https://github.com/.git", ""},
		{"git@github.com:", ""},
		{"https://[::1/x", ""},
		{"[::1/x", ""},
		{"[a:b:c]:x y", ""},
		{"a#b:c", ""},
		{"00:/:", ""},
		{"host..:path", "host/path"},
		{"https://a%2fb/c", ""},
		{"git@github.com:me/a b", ""},
		{"git@github.com:me/a\x1b[31m", ""},
		{"git@github.com:me/a\u202e", ""},
		{"git@github.com:me/\xff", ""},
	} {
		if got := Identity(c.address); got != c.want {
			t.Errorf("Identity(%q) = %q, want %q", c.address, got, c.want)
		}
	}
}

func FuzzIdentity(f *testing.F) {
	for _, s := range []string{"git@github.com:me/aish.git", "ssh://u:p@h:22/a/b.git", "[::1]:x", "a@[h:22]:p", "ext::x", "C:/x", "https://h/\u0130", "h:\u212a.git.git"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, address string) {
		id := Identity(address)
		if id == "" {
			return
		}
		host, path, ok := strings.Cut(id, "/")
		if !ok || host == "" || path == "" || strings.ContainsAny(id, " \t\r\n\x1b") || strings.ContainsAny(host, "@") {
			t.Errorf("Identity(%q) = %q", address, id)
		}
		if strings.HasSuffix(id, "/") || strings.Contains(id, "//") {
			t.Errorf("Identity(%q) = %q: slashes in excess", address, id)
		}
		// What was found is found again in each spelling, unless the path ends in
		// one more ".git", which would be dropped too.
		if strings.HasSuffix(path, ".git") || strings.ContainsAny(path, "?#") || strings.Contains(host, "[") {
			return
		}
		for _, again := range []string{"https://" + id, "ssh://git@" + host + ":22/" + path + ".git", "git@" + host + ":" + path} {
			if got := Identity(again); got != id {
				t.Errorf("Identity(%q) = %q, of %q it was %q", again, got, address, id)
			}
		}
	})
}
