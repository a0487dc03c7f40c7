package place

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"ken/internal/regular"
)

// askLimit is how long git may take to find the first commit. It walks the
// whole history for it: half a second for a hundred thousand commits.
const askLimit = time.Second

// rootDigits is how many digits of the first commit are its name: 48 bits, so
// that among a million repositories two alike are not to be expected.
const rootDigits = 12

// isRootID reports whether s is "root-" and rootDigits hexadecimal digits.
func isRootID(s string) bool {
	hash, ok := strings.CutPrefix(s, "root-")
	return ok && len(hash) == rootDigits && isHex(hash)
}

func isHex(s string) bool {
	for _, c := range []byte(s) {
		if !isDigit(c) && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// tooLong is kept in place of a root that git did not find in time, so that
// the person waits for it once only.
const tooLong = "unknown"

// first stands before a root that is kept for Root alone: the repository has remotes, and is not known by it.
const first = "first "

// Root returns the root of a repository, whether or not it is known by it; "" if there is none that can be known. Git is asked for it once:
// what it did not know then it is not asked again.
func (f Finder) Root(ctx context.Context, r *Repo) string {
	kept := f.kept(r.CommonDir)
	if root, ok := strings.CutPrefix(kept, first); ok {
		return root
	}
	if kept != "" || r.RootID != "" {
		return r.RootID
	}
	root := f.askRoot(ctx, r)
	if ctx.Err() == nil {
		f.keep(r.CommonDir, first+root)
	}
	return root
}

// askRoot asks git for the first commit of a repository without remotes and
// keeps the answer. "" if git is not installed, there is no commit yet, or it
// takes too long.
func (f Finder) askRoot(ctx context.Context, r *Repo) string {
	if f.kept(r.CommonDir) == tooLong {
		return ""
	}
	// The oldest commit of a shallow clone is not the first one.
	if _, err := os.Lstat(filepath.Join(r.CommonDir, "shallow")); err == nil {
		return ""
	}
	git := findGit()
	if git == "" {
		return ""
	}
	limited, cancel := context.WithTimeout(ctx, askLimit)
	defer cancel()
	root := firstCommit(limited, git, r.Top)
	switch {
	case root != "":
		f.keep(r.CommonDir, root)
	case limited.Err() != nil && ctx.Err() == nil:
		f.keep(r.CommonDir, tooLong)
	}
	return root
}

// findGit gives the path of git; "" if it is not installed.
func findGit() string {
	git, err := exec.LookPath("git")
	if err != nil {
		return ""
	}
	// On a Mac this is there even if git is not: it opens a window that offers
	// to install it.
	if runtime.GOOS == "darwin" && git == "/usr/bin/git" {
		for _, tools := range []string{"/Library/Developer/CommandLineTools", "/Applications/Xcode.app"} {
			if _, err := os.Stat(tools); err == nil {
				return git
			}
		}
		return ""
	}
	return git
}

// firstCommit asks git for the commits without parents and takes the oldest by
// the time of its committer; of several at one time the first in the order of
// their names. So it does not depend on the way that git takes through the
// history.
//
// The repository may be anybody's. Git itself refuses one that another account
// owns; and no protocol is allowed, because an incomplete repository could
// otherwise name a program to fetch the missing commits with.
func firstCommit(ctx context.Context, git, top string) string {
	cmd := exec.CommandContext(ctx, git, "--no-replace-objects", "rev-list", "--max-parents=0", "--timestamp", "HEAD", "--")
	cmd.Dir = top
	cmd.WaitDelay = 100 * time.Millisecond
	for _, kv := range os.Environ() {
		if !strings.HasPrefix(kv, "GIT_") {
			cmd.Env = append(cmd.Env, kv)
		}
	}
	cmd.Env = append(cmd.Env, "LC_ALL=C", "GIT_ALLOW_PROTOCOL=none", "GIT_NO_LAZY_FETCH=1",
		"GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0")
	out, err := cmd.Output()
	if err != nil {
		return ""
	}
	first, when := "", int64(0)
	for line := range strings.Lines(string(out)) {
		stamp, hash, _ := strings.Cut(strings.TrimSpace(line), " ")
		at, err := strconv.ParseInt(stamp, 10, 64)
		if err != nil || len(hash) < rootDigits || !isHex(hash) {
			return ""
		}
		if first == "" || at < when || at == when && hash < first {
			first, when = hash, at
		}
	}
	if first == "" {
		return ""
	}
	return "root-" + first[:rootDigits]
}

// cachedRoot is the root that was kept for a repository; "" if none was.
func (f Finder) cachedRoot(common string) string {
	if root := f.kept(common); isRootID(root) {
		return root
	}
	return ""
}

// keptAt is the file for one repository. It holds one line: the directory, when
// the repository was made, and what was found, with tabs between.
func (f Finder) keptAt(common string) string {
	sum := sha256.Sum256([]byte(common))
	return filepath.Join(f.Cache, hex.EncodeToString(sum[:8]))
}

// made distinguishes two repositories that stood in one place one after the
// other: git writes the file when it makes a repository and not again.
func made(common string) string {
	fi, err := os.Stat(filepath.Join(common, "description"))
	if err != nil {
		return "-"
	}
	return strconv.FormatInt(fi.ModTime().UnixNano(), 10)
}

// kept reads what keep wrote; "" for anything else.
func (f Finder) kept(common string) string {
	if f.Cache == "" {
		return ""
	}
	src, err := readShort(f.keptAt(common))
	if err != nil {
		return ""
	}
	rest, ok := strings.CutPrefix(src, common+"\t"+made(common)+"\t")
	if !ok {
		return ""
	}
	found, ok := strings.CutSuffix(rest, "\n")
	if !ok {
		return ""
	}
	return found
}

// keep writes what was found. Errors are dropped: what cannot be kept is asked
// for again.
func (f Finder) keep(common, found string) {
	if f.Cache == "" {
		return
	}
	_ = regular.PutDerived(f.keptAt(common), common+"\t"+made(common)+"\t"+found+"\n")
}
