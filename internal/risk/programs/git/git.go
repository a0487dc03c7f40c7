package git

import (
	"strings"

	"ken/internal/risk/programs/call"
)

// Look judges git: what only reads is safe where the repository is trusted, since its
// configuration names programs.
func Look(l *call.Look) {
	args := l.Args()
	i := 0
	for i < len(args) && call.IsFlag(args[i]) {
		t := args[i].Text
		switch {
		case call.In(t, "-C", "--namespace", "--super-prefix"):
			if t == "-C" && i+1 < len(args) {
				l.Elsewhere = true
			}
			i += 2
			continue
		case t == "-c", t == "--config-env", strings.HasPrefix(t, "--config-env="), strings.HasPrefix(t, "-c") && len(t) > 2 && t != "-c":
			value := t
			if t == "-c" || t == "--config-env" {
				i++
				if i < len(args) {
					value = args[i].Text
				}
			}
			gitSetting(l, value, args[min(i, len(args)-1)])
		case t == "--bare": // the directory itself is the repository
			l.Elsewhere = true
		case call.In(t, "--git-dir", "--work-tree", "--exec-path", "--attr-source"), call.HasPrefixAny(t, "--git-dir=", "--work-tree=", "--exec-path=", "--attr-source="):
			if !strings.Contains(t, "=") && t != "--exec-path" {
				i++
			}
			l.Elsewhere = true
			if strings.HasPrefix(t, "--exec-path=") {
				l.Danger("runs git's programs from elsewhere", args[min(i, len(args)-1)])
			}
		case call.In(t, "--no-pager", "-P", "--no-optional-locks", "--literal-pathspecs", "--no-replace-objects", "--glob-pathspecs", "--icase-pathspecs", "--noglob-pathspecs", "--no-lazy-fetch", "--no-advice"):
		case call.In(t, "--version", "-v", "--help", "-h", "--html-path", "--man-path", "--info-path"):
			return
		case call.In(t, "-p", "--paginate"):
			l.Caution("starts a pager", args[i])
		default:
			l.Caution("an option of git that is not known: "+t, args[i])
		}
		i++
	}
	if i >= len(args) {
		return
	}
	sub := args[i]
	sub.At = l.Words[0].At
	sub.End = max(sub.End, l.Words[0].End)
	rest := args[i+1:]
	if sub.Hole {
		l.Danger("a subcommand that is not known before", sub)
		return
	}
	gitSub(l, sub, rest)
}

// gitSetting judges -c name=value.
func gitSetting(l *call.Look, setting string, w call.Word) {
	name, value, _ := strings.Cut(strings.ToLower(setting), "=")
	switch {
	case call.In(name, "status.submodulesummary", "log.showsignature") && !call.In(value, "false", "0", "no", "off"):
		l.Danger("sets what git runs, or whom it trusts", w)
	case call.HasPrefixAny(name, "color.", "core.quotepath", "user.", "advice.", "init.defaultbranch", "diff.renam", "diff.algorithm", "diff.context", "log.", "column.", "core.abbrev", "pull.rebase", "merge.conflictstyle", "core.autocrlf", "core.eol", "commit.gpgsign", "tag.gpgsign", "push.default", "fetch.prune", "diff.noprefix", "diff.mnemonicprefix", "safe.directory", "core.safecrlf", "core.filemode", "core.ignorecase", "core.precomposeunicode", "grep.linenumber", "status.", "blame.", "format.pretty", "gc.auto", "http.postbuffer", "core.longpaths", "core.compression"):
	case call.In(name, "core.pager", "pager.log", "pager.diff", "pager.show", "pager.branch") && call.In(value, "cat", "", "less", "false"), name == "core.fsmonitor" && call.In(value, "false", "", "0"), name == "core.hookspath" && call.In(value, "/dev/null", ""), name == "diff.external" && value == "", name == "pager.status" && value == "false":
	default:
		l.Danger("sets what git runs, or whom it trusts", w)
	}
}

// reads are the subcommands of git that only read, with the flags that do more.
func gitReads(sub string) bool {
	return call.In(sub, "status", "log", "show", "diff", "blame", "annotate", "shortlog", "describe", "rev-parse", "rev-list", "ls-files", "ls-tree", "cat-file", "name-rev", "merge-base", "for-each-ref", "show-ref", "show-branch", "whatchanged", "grep", "count-objects", "cherry", "diff-tree", "diff-files", "diff-index", "range-diff", "check-ignore", "check-attr", "check-ref-format", "check-mailmap", "var", "version", "help", "verify-commit", "verify-tag", "fsck", "get-tar-commit-id", "patch-id", "stripspace", "column", "request-pull", "show-index", "diff-pairs", "interpret-trailers", "mktag", "unpack-file", "fmt-merge-msg", "ls-remote", "merge-tree", "verify-pack")
}

func gitSub(l *call.Look, sub call.Word, rest []call.Word) {
	flags, operands := call.Parse(rest, call.Spec{Args: gitArgs(sub.Text), Longs: []string{"--message", "--file", "--author", "--date", "--format", "--pretty", "--since", "--until", "--grep", "--max-count", "--sort", "--contains", "--points-at", "--depth", "--branch", "--origin", "--upload-pack", "--receive-pack", "--exec", "--onto", "--strategy", "--strategy-option", "--source", "--output", "--expire", "--pathspec-from-file"}})
	first := ""
	if len(operands) > 0 {
		first = operands[0].Text
	}
	if f, ok := call.Has(flags, "--upload-pack", "--receive-pack", "--exec"); ok && f.Given || ok && f.Name == "-u" {
		l.Danger("runs a program", f.Word)
	}
	for _, w := range rest {
		if call.HasPrefixAny(w.Text, "ext::", "fd::") {
			l.Danger("runs a program as if it were another machine", w)
		}
	}
	if gitReads(sub.Text) {
		gitRead(l, sub, rest, flags)
		return
	}
	list := len(operands) == 0
	safe, danger := false, ""
	switch sub.Text {
	case "branch":
		safe = only(flags, "-a", "-r", "-v", "-l", "--list", "--all", "--remotes", "--show-current", "--merged", "--no-merged", "--contains", "--no-contains", "--points-at", "--sort", "--format", "--verbose", "--color", "--no-color", "--column", "--no-column", "-i", "--abbrev", "--no-abbrev", "--ignore-case") && (list || call.With(flags, "-l", "--list", "--merged", "--no-merged", "--contains", "--no-contains", "--points-at"))
		if call.With(flags, "-D", "-M", "-C", "--force", "-f") || call.With(flags, "-d", "--delete") && call.With(flags, "-f", "--force") {
			danger = "loses a branch"
		}
	case "tag":
		safe = only(flags, "-l", "-n", "--list", "--contains", "--no-contains", "--merged", "--no-merged", "--points-at", "--sort", "--format", "--column", "-i", "--color", "-v", "--verify", "--ignore-case") && (list || call.With(flags, "-l", "--list", "--contains", "--merged", "-v", "-n"))
		if call.With(flags, "-f", "--force") {
			danger = "moves a tag"
		}
		if call.With(flags, "-d", "--delete") && (l.IsFed || anySubst(operands)) {
			danger = "loses tags"
		}
	case "remote":
		safe = call.In(first, "", "show", "get-url") && only(flags, "-v", "--verbose", "--all", "--push", "-n")
		if call.In(first, "set-url", "add") && call.With(flags, "--push") {
			danger = "sends what is pushed to another place"
		}
		if call.In(first, "remove", "rm") {
			l.Caution("forgets a remote", sub)
		}
	case "stash":
		safe = call.In(first, "list", "show")
		if call.In(first, "clear", "drop") {
			danger = "loses stashed work"
		}
	case "config":
		safe = gitConfig(l, flags, operands)
	case "reflog":
		safe = call.In(first, "", "show", "exists", "list") || !call.In(first, "expire", "delete", "drop", "write")
		if call.In(first, "expire", "delete", "drop") {
			danger = "loses the way back to old commits"
		}
	case "worktree":
		safe = first == "list"
		if call.In(first, "remove") && call.With(flags, "-f", "--force") {
			danger = "removes work that is not committed"
		}
	case "submodule":
		if call.In(first, "", "status", "summary") {
			l.Caution("git may run what the configuration of another repository names", sub)
		}
		if first == "foreach" && len(operands) > 1 {
			for i, w := range rest {
				if w.Text == "foreach" && i+1 < len(rest) {
					l.Shell(strings.TrimPrefix(call.Text(rest[i+1:]), "--recursive "), operands[1], false)
					break
				}
			}
		}
		if first == "deinit" && call.With(flags, "-f", "--force") {
			danger = "removes work that is not committed"
		}
	case "notes", "bundle", "lfs", "sparse-checkout", "maintenance", "rerere", "bisect", "apply", "am", "archive", "commit-graph", "multi-pack-index", "replace", "symbolic-ref", "credential":
		safe, danger = gitOther(l, sub, first, flags, operands)
	default:
		danger = gitWrites(l, sub, first, flags, operands, rest)
	}
	switch {
	case danger != "":
		l.Danger(danger, sub)
	case safe:
		gitTrust(l, sub)
	default:
		l.Caution("changes the repository, or reaches a remote", sub)
	}
}

func anySubst(words []call.Word) bool {
	for _, w := range words {
		if w.Subst || w.Glob {
			return true
		}
	}
	return false
}

func gitArgs(sub string) string {
	switch sub {
	case "commit":
		return "mFCct"
	case "log", "show", "shortlog", "whatchanged", "rev-list":
		return "nSGLO"
	case "diff":
		return "SGO"
	case "grep":
		return "efABCm"
	case "clone":
		return "obucj"
	case "checkout", "switch":
		return ""
	case "clean":
		return "e"
	case "push":
		return "o"
	case "rebase":
		return "xsXC"
	case "stash":
		return "m"
	case "tag":
		return "mFu"
	case "blame":
		return "LS"
	case "merge", "pull":
		return "msXF"
	case "filter-branch":
		return ""
	case "config":
		return "f"
	}
	return ""
}

// gitTrust: git runs what the configuration of a repository names.
func gitTrust(l *call.Look, sub call.Word) {
	if !l.TrustedGit || l.Elsewhere {
		l.Caution("git may run what the repository's configuration names", sub)
	}
}

func only(flags []call.Flag, names ...string) bool {
	for _, f := range flags {
		if !call.In(f.Name, names...) && !(len(f.Name) == 2 && f.Name[1] >= '0' && f.Name[1] <= '9') {
			return false
		}
	}
	return true
}

func gitRead(l *call.Look, sub call.Word, rest []call.Word, flags []call.Flag) {
	for _, f := range flags {
		t := f.Name
		switch {
		case strings.HasPrefix(t, "--") && strings.Contains(t, "sub"):
			if harmless := call.In(f.Value, "all", "short", "dirty") || f.Value == "" && strings.HasPrefix(t, "--ig"); !harmless {
				l.Caution("git may run what the configuration of another repository names", f.Word)
			}
		case call.HasPrefixAny(t, "--ext-d", "--textconv", "--ext"), t == "--open-files-in-pager", strings.HasPrefix(t, "--open-f"), t == "-O" && sub.Text == "grep", t == "--filters", t == "--show-signature", t == "--exec":
			l.Danger("runs a program that a configuration names", f.Word)
		case strings.HasPrefix(t, "--output") && !call.HasPrefixAny(t, "--output-indicator"), t == "--output":
			out := f.Arg
			out.Text = f.Value
			l.Deed(call.Write, out)
		case call.In(t, "--contents", "--no-index", "--ignore-revs-file"):
		case call.In(sub.Text, "fsck") && call.In(t, "--lost-found"), t == "-w" && sub.Text == "mktag", t == "--in-place":
			l.Caution("writes", f.Word)
		case sub.Text == "show-branch" || t == "-w" || t == "-i":
		}
	}
	if sub.Text == "request-pull" || sub.Text == "ls-remote" && !asksRemote(l, flags, rest) {
		l.Caution("reaches a remote", sub)
	}
	if call.In(sub.Text, "help") && len(rest) > 0 && call.In(rest[0].Text, "-w", "--web") {
		l.Caution("starts a browser", sub)
	}
	if call.In(sub.Text, "version", "help", "check-ref-format", "stripspace", "patch-id", "var") {
		return
	}
	for _, w := range rest {
		if call.HasPrefixAny(w.Text, "-O") && sub.Text == "grep" || strings.HasPrefix(w.Text, "-") && !strings.HasPrefix(w.Text, "--") && sub.Text == "grep" && strings.Contains(w.Text, "O") {
			l.Danger("runs a program", w)
		}
	}
	gitTrust(l, sub)
}

func gitConfig(l *call.Look, flags []call.Flag, operands []call.Word) bool {
	if call.With(flags, "--get", "--get-all", "--list", "-l", "--get-regexp", "--get-urlmatch", "--get-color", "--get-colorbool") || len(operands) > 0 && call.In(operands[0].Text, "get", "list") {
		return true
	}
	if call.With(flags, "-e", "--edit") || len(operands) > 0 && operands[0].Text == "edit" {
		return false
	}
	if len(operands) > 0 && operands[0].Text == "set" {
		operands = operands[1:]
	}
	unset := call.With(flags, "--unset", "--unset-all", "--remove-section", "--rename-section")
	if len(operands) == 1 && !unset && !call.With(flags, "--add", "--replace-all") {
		return true
	}
	if len(operands) == 0 {
		return false
	}
	name := strings.ToLower(operands[0].Text)
	value := ""
	if len(operands) > 1 {
		value = strings.ToLower(operands[1].Text)
	}
	switch {
	case strings.HasPrefix(name, "alias.") && strings.HasPrefix(strings.TrimSpace(value), "!"):
		l.Danger("makes git run a command", operands[1])
		w := operands[1]
		l.Shell(strings.TrimPrefix(strings.TrimSpace(w.Text), "!"), w, false)
	case unset, value == "":
	case call.In(name, "core.pager", "core.editor", "core.hookspath", "core.fsmonitor", "core.sshcommand", "core.gitproxy", "core.askpass", "core.alternaterefscommand", "core.attributesfile", "core.worktree", "diff.external", "sequence.editor", "credential.helper", "http.sslverify", "http.proxy", "gpg.program", "include.path", "init.templatedir", "uploadpack.packobjectshook", "interactive.difffilter", "sendemail.smtpserver", "safe.directory", "receive.denynonfastforwards", "receive.denydeletes", "protocol.ext.allow", "protocol.allow", "gc.reflogexpire", "gc.pruneexpire", "gc.reflogexpireunreachable"),
		call.HasPrefixAny(name, "pager.", "filter.", "url.", "includeif.", "credential.", "browser.", "difftool.", "mergetool.", "man.", "gpg.", "remote.", "submodule.", "hook.", "trailer.", "core.sshc", "ssh.", "protocol.", "http.", "https.") && call.HasAny(name, "cmd", "path", "smudge", "clean", "process", "command", "insteadof", "helper", "proxy", "uploadpack", "receivepack", "vcs", "program", "textconv", "allow", "pager.", "sslverify", "sslcainfo", "url.", "update"),
		strings.HasSuffix(name, ".textconv"), strings.HasSuffix(name, ".command"), strings.HasSuffix(name, ".driver"):
		if call.In(value, "vim", "nano", "vi", "cat", "less", "emacs", "delta", "true", "code --wait", "osxkeychain", "cache", "manager", "manager-core", "nvim") && !call.HasAny(name, "hookspath", "fsmonitor", "sslverify", "protocol") {
			return false
		}
		l.Danger("sets what git runs, or whom it trusts", operands[0])
	}
	return false
}

// gitOther judges subcommands with words of their own.
func gitOther(l *call.Look, sub call.Word, first string, flags []call.Flag, operands []call.Word) (safe bool, danger string) {
	switch sub.Text {
	case "notes":
		safe = call.In(first, "", "list", "show")
	case "bundle":
		safe = call.In(first, "verify", "list-heads")
	case "lfs":
		safe = call.In(first, "ls-files", "status", "env", "version", "logs", "locks")
		if first == "migrate" {
			danger = "rewrites history"
		}
		if first == "prune" && call.With(flags, "-f", "--force") {
			danger = "removes files of the repository"
		}
	case "sparse-checkout":
		safe = first == "list"
	case "bisect":
		safe = first == "log"
		if first == "run" && len(operands) > 1 {
			for i, w := range l.Args() {
				if w.Text == "run" {
					l.Run(l.Args()[i+1:], false)
					break
				}
			}
		}
	case "archive":
		if call.With(flags, "-l", "--list") {
			safe = true
		}
		if call.With(flags, "--remote") {
			l.Caution("reaches a remote", sub)
		}
		if f, ok := call.Has(flags, "-o", "--output"); ok {
			out := f.Arg
			out.Text = f.Value
			if out.Text != "" {
				l.Deed(call.Write, out)
			}
		}
	case "apply":
		safe = call.With(flags, "--stat", "--numstat", "--summary", "--check") && !call.With(flags, "--apply", "--index", "--3way")
		if call.With(flags, "--unsafe-paths") {
			danger = "writes outside the repository"
		}
	case "symbolic-ref":
		safe = len(operands) == 1 && only(flags, "-q", "--short", "--quiet")
	case "rerere":
		safe = call.In(first, "status", "diff", "remaining")
	case "credential":
		l.Caution("handles secrets", sub)
	case "replace":
		if len(operands) > 0 || call.With(flags, "-d", "--delete", "-f", "--force") {
			danger = "rewrites what history shows"
		}
	}
	return safe, danger
}

// gitWrites says which of the subcommands that change something lose work.
func gitWrites(l *call.Look, sub call.Word, first string, flags []call.Flag, operands, rest []call.Word) string {
	force := call.With(flags, "-f", "--force")
	switch sub.Text {
	case "push":
		for _, w := range operands {
			if call.HasPrefixAny(w.Text, "+", ":") && len(w.Text) > 1 {
				return "overwrites or deletes what others have"
			}
			if strings.Contains(w.Text, "://") || strings.Contains(w.Text, "@") && strings.Contains(w.Text, ":") {
				return "sends the repository to a place that is not one of its remotes"
			}
		}
		if force || call.With(flags, "--mirror", "--delete", "-d", "--force-with-lease", "--force-if-includes", "--prune") {
			return "overwrites or deletes what others have"
		}
	case "reset":
		if call.With(flags, "--hard", "--merge", "--keep") {
			return "loses work that is not committed"
		}
	case "clean":
		if call.With(flags, "-n", "--dry-run") {
			gitTrust(l, sub)
			return ""
		}
		if force || call.With(flags, "-x", "-X", "-d") || len(flags) == 0 {
			return "removes files that git does not have"
		}
	case "checkout":
		return gitCheckout(flags, operands, rest, force)
	case "switch":
		if force || call.With(flags, "--discard-changes", "-C", "--force-create") {
			return "loses work that is not committed"
		}
	case "restore":
		if call.With(flags, "--staged", "-S") && !call.With(flags, "--worktree", "-W") {
			return ""
		}
		return "loses work that is not committed"
	case "filter-branch", "filter-repo":
		for _, w := range rest {
			if call.HasAny(w.Text, " ") {
				l.Deeds = append(l.Deeds, call.Deed{Act: call.Shell, Text: w.Text, Word: w})
			}
		}
		return "rewrites all history"
	case "rebase":
		if f, ok := call.Has(flags, "-x", "--exec"); ok {
			l.Shell(f.Value, f.Arg, false)
		}
		if call.With(flags, "--root") {
			return "rewrites all history"
		}
	case "gc", "prune":
		if call.With(flags, "--prune", "--aggressive", "--expire") || sub.Text == "prune" && !call.With(flags, "-n", "--dry-run") {
			return "loses the way back to old commits"
		}
	case "update-ref":
		if call.With(flags, "-d", "--stdin") {
			return "loses a branch"
		}
	case "rm":
		if force || call.With(flags, "-r") && call.In(first, ".", "*", ":/") {
			if !call.With(flags, "--cached") {
				return "removes work that is not committed"
			}
		}
		if call.With(flags, "-r") && call.In(first, ".", "*", ":/", "./") && !call.With(flags, "--cached", "-n") {
			return "removes everything"
		}
	case "read-tree":
		if call.With(flags, "--reset", "-u") {
			return "loses work that is not committed"
		}
	case "checkout-index":
		if force {
			return "loses work that is not committed"
		}
	case "difftool", "mergetool":
		if f, ok := call.Has(flags, "-x", "--extcmd"); ok {
			l.Shell(f.Value, f.Arg, false)
			return "runs a program"
		}
	case "send-email", "daemon", "instaweb", "http-backend", "svn", "p4", "cvsserver", "shell", "upload-pack", "receive-pack", "fast-import":
		if sub.Text == "daemon" || sub.Text == "instaweb" {
			return "opens this machine's files to others"
		}
	case "commit":
		if call.With(flags, "--no-verify", "-n") {
			l.Caution("leaves out the checks of the repository", sub)
		}
	case "clone":
		if len(operands) > 1 {
			l.Deed(call.Write, operands[1])
		}
		if f, ok := call.Has(flags, "-c", "--config"); ok {
			gitSetting(l, f.Value, f.Word)
		}
		if call.With(flags, "--template") {
			return "runs hooks from elsewhere"
		}
	case "init":
		if call.With(flags, "--template") {
			return "runs hooks from elsewhere"
		}
	}
	return ""
}

func gitCheckout(flags []call.Flag, operands, rest []call.Word, force bool) string {
	if force || call.With(flags, "-B", "--ours", "--theirs") {
		return "loses work that is not committed"
	}
	dashes := false
	for _, w := range rest {
		dashes = dashes || w.Text == "--"
	}
	if call.With(flags, "-b", "--orphan", "--detach", "-t", "--track") && !dashes {
		return ""
	}
	if dashes || len(operands) > 1 && !call.With(flags, "-p", "--patch") {
		return "loses work that is not committed"
	}
	for _, w := range operands {
		if call.In(w.Text, ".", "*", ":/", "./", "..") || strings.HasPrefix(w.Text, ":") {
			return "loses work that is not committed"
		}
	}
	return ""
}

// asksRemote says that a call asks a remote of a trusted configuration by its name, as
// git remote show does.
func asksRemote(l *call.Look, flags []call.Flag, rest []call.Word) bool {
	named := false
	for _, w := range rest {
		if call.IsFlag(w) {
			continue
		}
		if w.Hole || strings.ContainsAny(w.Text, ":\\") || strings.HasPrefix(w.Text, ".") || !named && strings.Contains(w.Text, "/") {
			return false
		}
		named = true
	}
	return l.TrustedGit && !l.IsFed && only(flags, "-h", "-t", "-q", "--heads", "--branches", "--tags", "--refs",
		"--quiet", "--symref", "--exit-code", "--get-url", "--sort")
}
