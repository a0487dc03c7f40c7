package programs

import (
	"strings"
)

// lookGit judges git: what only reads is safe where the repository is trusted, since its
// configuration names programs.
func lookGit(l *findings) {
	args := l.Args()
	i := 0
	for i < len(args) && IsFlag(args[i]) {
		t := args[i].Text
		switch {
		case isOneOf(t, "-C", "--namespace", "--super-prefix"):
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
		case isOneOf(t, "--git-dir", "--work-tree", "--exec-path", "--attr-source"), HasPrefixAny(t, "--git-dir=", "--work-tree=", "--exec-path=", "--attr-source="):
			if !strings.Contains(t, "=") && t != "--exec-path" {
				i++
			}
			l.Elsewhere = true
			if strings.HasPrefix(t, "--exec-path=") {
				l.Danger("runs git's programs from elsewhere", args[min(i, len(args)-1)])
			}
		case isOneOf(t, "--no-pager", "-P", "--no-optional-locks", "--literal-pathspecs", "--no-replace-objects", "--glob-pathspecs", "--icase-pathspecs", "--noglob-pathspecs", "--no-lazy-fetch", "--no-advice"):
		case isOneOf(t, "--version", "-v", "--help", "-h", "--html-path", "--man-path", "--info-path"):
			return
		case isOneOf(t, "-p", "--paginate"):
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
func gitSetting(l *findings, setting string, w Word) {
	name, value, _ := strings.Cut(strings.ToLower(setting), "=")
	switch {
	case isOneOf(name, "status.submodulesummary", "log.showsignature") && !isOneOf(value, "false", "0", "no", "off"):
		l.Danger("sets what git runs, or whom it trusts", w)
	case HasPrefixAny(name, "color.", "core.quotepath", "user.", "advice.", "init.defaultbranch", "diff.renam", "diff.algorithm", "diff.context", "log.", "column.", "core.abbrev", "pull.rebase", "merge.conflictstyle", "core.autocrlf", "core.eol", "commit.gpgsign", "tag.gpgsign", "push.default", "fetch.prune", "diff.noprefix", "diff.mnemonicprefix", "safe.directory", "core.safecrlf", "core.filemode", "core.ignorecase", "core.precomposeunicode", "grep.linenumber", "status.", "blame.", "format.pretty", "gc.auto", "http.postbuffer", "core.longpaths", "core.compression"):
	case isOneOf(name, "core.pager", "pager.log", "pager.diff", "pager.show", "pager.branch") && isOneOf(value, "cat", "", "less", "false"), name == "core.fsmonitor" && isOneOf(value, "false", "", "0"), name == "core.hookspath" && isOneOf(value, "/dev/null", ""), name == "diff.external" && value == "", name == "pager.status" && value == "false":
	default:
		l.Danger("sets what git runs, or whom it trusts", w)
	}
}

// reads are the subcommands of git that only read, with the flags that do more.
func gitReads(sub string) bool {
	return isOneOf(sub, "status", "log", "show", "diff", "blame", "annotate", "shortlog", "describe", "rev-parse", "rev-list", "ls-files", "ls-tree", "cat-file", "name-rev", "merge-base", "for-each-ref", "show-ref", "show-branch", "whatchanged", "grep", "count-objects", "cherry", "diff-tree", "diff-files", "diff-index", "range-diff", "check-ignore", "check-attr", "check-ref-format", "check-mailmap", "var", "version", "help", "verify-commit", "verify-tag", "fsck", "get-tar-commit-id", "patch-id", "stripspace", "column", "request-pull", "show-index", "diff-pairs", "interpret-trailers", "mktag", "unpack-file", "fmt-merge-msg", "ls-remote", "merge-tree", "verify-pack")
}

func gitSub(l *findings, sub Word, rest []Word) {
	flags, operands := parse(rest, flagSpec{Args: gitArgs(sub.Text), Longs: []string{"--message", "--file", "--author", "--date", "--format", "--pretty", "--since", "--until", "--grep", "--max-count", "--sort", "--contains", "--points-at", "--depth", "--branch", "--origin", "--upload-pack", "--receive-pack", "--exec", "--onto", "--strategy", "--strategy-option", "--source", "--output", "--expire", "--pathspec-from-file"}})
	first := ""
	if len(operands) > 0 {
		first = operands[0].Text
	}
	if f, ok := has(flags, "--upload-pack", "--receive-pack", "--exec"); ok && f.Given || ok && f.Name == "-u" {
		l.Danger("runs a program", f.Word)
	}
	for _, w := range rest {
		if HasPrefixAny(w.Text, "ext::", "fd::") {
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
		safe = only(flags, "-a", "-r", "-v", "-l", "--list", "--all", "--remotes", "--show-current", "--merged", "--no-merged", "--contains", "--no-contains", "--points-at", "--sort", "--format", "--verbose", "--color", "--no-color", "--column", "--no-column", "-i", "--abbrev", "--no-abbrev", "--ignore-case") && (list || with(flags, "-l", "--list", "--merged", "--no-merged", "--contains", "--no-contains", "--points-at"))
		if with(flags, "-D", "-M", "-C", "--force", "-f") || with(flags, "-d", "--delete") && with(flags, "-f", "--force") {
			danger = "loses a branch"
		}
	case "tag":
		safe = only(flags, "-l", "-n", "--list", "--contains", "--no-contains", "--merged", "--no-merged", "--points-at", "--sort", "--format", "--column", "-i", "--color", "-v", "--verify", "--ignore-case") && (list || with(flags, "-l", "--list", "--contains", "--merged", "-v", "-n"))
		if with(flags, "-f", "--force") {
			danger = "moves a tag"
		}
		if with(flags, "-d", "--delete") && (l.IsFed || anySubst(operands)) {
			danger = "loses tags"
		}
	case "remote":
		safe = isOneOf(first, "", "show", "get-url") && only(flags, "-v", "--verbose", "--all", "--push", "-n")
		if isOneOf(first, "set-url", "add") && with(flags, "--push") {
			danger = "sends what is pushed to another place"
		}
		if isOneOf(first, "remove", "rm") {
			l.Caution("forgets a remote", sub)
		}
	case "stash":
		safe = isOneOf(first, "list", "show")
		if isOneOf(first, "clear", "drop") {
			danger = "loses stashed work"
		}
	case "config":
		safe = gitConfig(l, flags, operands)
	case "reflog":
		safe = isOneOf(first, "", "show", "exists", "list") || !isOneOf(first, "expire", "delete", "drop", "write")
		if isOneOf(first, "expire", "delete", "drop") {
			danger = "loses the way back to old commits"
		}
	case "worktree":
		safe = first == "list"
		if isOneOf(first, "remove") && with(flags, "-f", "--force") {
			danger = "removes work that is not committed"
		}
	case "submodule":
		if isOneOf(first, "", "status", "summary") {
			l.Caution("git may run what the configuration of another repository names", sub)
		}
		if first == "foreach" && len(operands) > 1 {
			for i, w := range rest {
				if w.Text == "foreach" && i+1 < len(rest) {
					l.Shell(strings.TrimPrefix(textOf(rest[i+1:]), "--recursive "), operands[1], false)
					break
				}
			}
		}
		if first == "deinit" && with(flags, "-f", "--force") {
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

func anySubst(words []Word) bool {
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
func gitTrust(l *findings, sub Word) {
	if !l.TrustedGit || l.Elsewhere {
		l.Caution("git may run what the repository's configuration names", sub)
	}
}

func only(flags []typedFlag, names ...string) bool {
	for _, f := range flags {
		if !isOneOf(f.Name, names...) && !(len(f.Name) == 2 && f.Name[1] >= '0' && f.Name[1] <= '9') {
			return false
		}
	}
	return true
}

func gitRead(l *findings, sub Word, rest []Word, flags []typedFlag) {
	for _, f := range flags {
		t := f.Name
		switch {
		case strings.HasPrefix(t, "--") && strings.Contains(t, "sub"):
			if harmless := isOneOf(f.Value, "all", "short", "dirty") || f.Value == "" && strings.HasPrefix(t, "--ig"); !harmless {
				l.Caution("git may run what the configuration of another repository names", f.Word)
			}
		case HasPrefixAny(t, "--ext-d", "--textconv", "--ext"), t == "--open-files-in-pager", strings.HasPrefix(t, "--open-f"), t == "-O" && sub.Text == "grep", t == "--filters", t == "--show-signature", t == "--exec":
			l.Danger("runs a program that a configuration names", f.Word)
		case strings.HasPrefix(t, "--output") && !HasPrefixAny(t, "--output-indicator"), t == "--output":
			out := f.Arg
			out.Text = f.Value
			l.Operation(Write, out)
		case isOneOf(t, "--contents", "--no-index", "--ignore-revs-file"):
		case isOneOf(sub.Text, "fsck") && isOneOf(t, "--lost-found"), t == "-w" && sub.Text == "mktag", t == "--in-place":
			l.Caution("writes", f.Word)
		case sub.Text == "show-branch" || t == "-w" || t == "-i":
		}
	}
	if sub.Text == "request-pull" || sub.Text == "ls-remote" && !asksRemote(l, flags, rest) {
		l.Caution("reaches a remote", sub)
	}
	if isOneOf(sub.Text, "help") && len(rest) > 0 && isOneOf(rest[0].Text, "-w", "--web") {
		l.Caution("starts a browser", sub)
	}
	if isOneOf(sub.Text, "version", "help", "check-ref-format", "stripspace", "patch-id", "var") {
		return
	}
	for _, w := range rest {
		if HasPrefixAny(w.Text, "-O") && sub.Text == "grep" || strings.HasPrefix(w.Text, "-") && !strings.HasPrefix(w.Text, "--") && sub.Text == "grep" && strings.Contains(w.Text, "O") {
			l.Danger("runs a program", w)
		}
	}
	gitTrust(l, sub)
}

func gitConfig(l *findings, flags []typedFlag, operands []Word) bool {
	if with(flags, "--get", "--get-all", "--list", "-l", "--get-regexp", "--get-urlmatch", "--get-color", "--get-colorbool") || len(operands) > 0 && isOneOf(operands[0].Text, "get", "list") {
		return true
	}
	if with(flags, "-e", "--edit") || len(operands) > 0 && operands[0].Text == "edit" {
		return false
	}
	if len(operands) > 0 && operands[0].Text == "set" {
		operands = operands[1:]
	}
	unset := with(flags, "--unset", "--unset-all", "--remove-section", "--rename-section")
	if len(operands) == 1 && !unset && !with(flags, "--add", "--replace-all") {
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
	case isOneOf(name, "core.pager", "core.editor", "core.hookspath", "core.fsmonitor", "core.sshcommand", "core.gitproxy", "core.askpass", "core.alternaterefscommand", "core.attributesfile", "core.worktree", "diff.external", "sequence.editor", "credential.helper", "http.sslverify", "http.proxy", "gpg.program", "include.path", "init.templatedir", "uploadpack.packobjectshook", "interactive.difffilter", "sendemail.smtpserver", "safe.directory", "receive.denynonfastforwards", "receive.denydeletes", "protocol.ext.allow", "protocol.allow", "gc.reflogexpire", "gc.pruneexpire", "gc.reflogexpireunreachable"),
		HasPrefixAny(name, "pager.", "filter.", "url.", "includeif.", "credential.", "browser.", "difftool.", "mergetool.", "man.", "gpg.", "remote.", "submodule.", "hook.", "trailer.", "core.sshc", "ssh.", "protocol.", "http.", "https.") && HasAny(name, "cmd", "path", "smudge", "clean", "process", "command", "insteadof", "helper", "proxy", "uploadpack", "receivepack", "vcs", "program", "textconv", "allow", "pager.", "sslverify", "sslcainfo", "url.", "update"),
		strings.HasSuffix(name, ".textconv"), strings.HasSuffix(name, ".command"), strings.HasSuffix(name, ".driver"):
		if isOneOf(value, "vim", "nano", "vi", "cat", "less", "emacs", "delta", "true", "code --wait", "osxkeychain", "cache", "manager", "manager-core", "nvim") && !HasAny(name, "hookspath", "fsmonitor", "sslverify", "protocol") {
			return false
		}
		l.Danger("sets what git runs, or whom it trusts", operands[0])
	}
	return false
}

// gitOther judges subcommands with words of their own.
func gitOther(l *findings, sub Word, first string, flags []typedFlag, operands []Word) (safe bool, danger string) {
	switch sub.Text {
	case "notes":
		safe = isOneOf(first, "", "list", "show")
	case "bundle":
		safe = isOneOf(first, "verify", "list-heads")
	case "lfs":
		safe = isOneOf(first, "ls-files", "status", "env", "version", "logs", "locks")
		if first == "migrate" {
			danger = "rewrites history"
		}
		if first == "prune" && with(flags, "-f", "--force") {
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
		if with(flags, "-l", "--list") {
			safe = true
		}
		if with(flags, "--remote") {
			l.Caution("reaches a remote", sub)
		}
		if f, ok := has(flags, "-o", "--output"); ok {
			out := f.Arg
			out.Text = f.Value
			if out.Text != "" {
				l.Operation(Write, out)
			}
		}
	case "apply":
		safe = with(flags, "--stat", "--numstat", "--summary", "--check") && !with(flags, "--apply", "--index", "--3way")
		if with(flags, "--unsafe-paths") {
			danger = "writes outside the repository"
		}
	case "symbolic-ref":
		safe = len(operands) == 1 && only(flags, "-q", "--short", "--quiet")
	case "rerere":
		safe = isOneOf(first, "status", "diff", "remaining")
	case "credential":
		l.Caution("handles secrets", sub)
	case "replace":
		if len(operands) > 0 || with(flags, "-d", "--delete", "-f", "--force") {
			danger = "rewrites what history shows"
		}
	}
	return safe, danger
}

// gitWrites says which of the subcommands that change something lose work.
func gitWrites(l *findings, sub Word, first string, flags []typedFlag, operands, rest []Word) string {
	force := with(flags, "-f", "--force")
	switch sub.Text {
	case "push":
		for _, w := range operands {
			if HasPrefixAny(w.Text, "+", ":") && len(w.Text) > 1 {
				return "overwrites or deletes what others have"
			}
			if strings.Contains(w.Text, "://") || strings.Contains(w.Text, "@") && strings.Contains(w.Text, ":") {
				return "sends the repository to a place that is not one of its remotes"
			}
		}
		if force || with(flags, "--mirror", "--delete", "-d", "--force-with-lease", "--force-if-includes", "--prune") {
			return "overwrites or deletes what others have"
		}
	case "reset":
		if with(flags, "--hard", "--merge", "--keep") {
			return "loses work that is not committed"
		}
	case "clean":
		if with(flags, "-n", "--dry-run") {
			gitTrust(l, sub)
			return ""
		}
		if force || with(flags, "-x", "-X", "-d") || len(flags) == 0 {
			return "removes files that git does not have"
		}
	case "checkout":
		return gitCheckout(flags, operands, rest, force)
	case "switch":
		if force || with(flags, "--discard-changes", "-C", "--force-create") {
			return "loses work that is not committed"
		}
	case "restore":
		if with(flags, "--staged", "-S") && !with(flags, "--worktree", "-W") {
			return ""
		}
		return "loses work that is not committed"
	case "filter-branch", "filter-repo":
		for _, w := range rest {
			if HasAny(w.Text, " ") {
				l.Operations = append(l.Operations, Operation{Act: Shell, Text: w.Text, Word: w})
			}
		}
		return "rewrites all history"
	case "rebase":
		if f, ok := has(flags, "-x", "--exec"); ok {
			l.Shell(f.Value, f.Arg, false)
		}
		if with(flags, "--root") {
			return "rewrites all history"
		}
	case "gc", "prune":
		if with(flags, "--prune", "--aggressive", "--expire") || sub.Text == "prune" && !with(flags, "-n", "--dry-run") {
			return "loses the way back to old commits"
		}
	case "update-ref":
		if with(flags, "-d", "--stdin") {
			return "loses a branch"
		}
	case "rm":
		if force || with(flags, "-r") && isOneOf(first, ".", "*", ":/") {
			if !with(flags, "--cached") {
				return "removes work that is not committed"
			}
		}
		if with(flags, "-r") && isOneOf(first, ".", "*", ":/", "./") && !with(flags, "--cached", "-n") {
			return "removes everything"
		}
	case "read-tree":
		if with(flags, "--reset", "-u") {
			return "loses work that is not committed"
		}
	case "checkout-index":
		if force {
			return "loses work that is not committed"
		}
	case "difftool", "mergetool":
		if f, ok := has(flags, "-x", "--extcmd"); ok {
			l.Shell(f.Value, f.Arg, false)
			return "runs a program"
		}
	case "send-email", "daemon", "instaweb", "http-backend", "svn", "p4", "cvsserver", "shell", "upload-pack", "receive-pack", "fast-import":
		if sub.Text == "daemon" || sub.Text == "instaweb" {
			return "opens this machine's files to others"
		}
	case "commit":
		if with(flags, "--no-verify", "-n") {
			l.Caution("leaves out the checks of the repository", sub)
		}
	case "clone":
		if len(operands) > 1 {
			l.Operation(Write, operands[1])
		}
		if f, ok := has(flags, "-c", "--config"); ok {
			gitSetting(l, f.Value, f.Word)
		}
		if with(flags, "--template") {
			return "runs hooks from elsewhere"
		}
	case "init":
		if with(flags, "--template") {
			return "runs hooks from elsewhere"
		}
	}
	return ""
}

func gitCheckout(flags []typedFlag, operands, rest []Word, force bool) string {
	if force || with(flags, "-B", "--ours", "--theirs") {
		return "loses work that is not committed"
	}
	dashes := false
	for _, w := range rest {
		dashes = dashes || w.Text == "--"
	}
	if with(flags, "-b", "--orphan", "--detach", "-t", "--track") && !dashes {
		return ""
	}
	if dashes || len(operands) > 1 && !with(flags, "-p", "--patch") {
		return "loses work that is not committed"
	}
	for _, w := range operands {
		if isOneOf(w.Text, ".", "*", ":/", "./", "..") || strings.HasPrefix(w.Text, ":") {
			return "loses work that is not committed"
		}
	}
	return ""
}

// asksRemote says that a call asks a remote of a trusted configuration by its name, as
// git remote show does.
func asksRemote(l *findings, flags []typedFlag, rest []Word) bool {
	named := false
	for _, w := range rest {
		if IsFlag(w) {
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
