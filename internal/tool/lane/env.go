package lane

import (
	"slices"
	"strconv"
	"strings"

	"ken/internal/tool/environ"
)

// Environ returns the environment of the lane: that of ken, without what would make a
// shell run something first or change what its words mean, without the variables
// that stay at home by f, and with everything that asks or pages switched off. It returns
// too which stay.
//
// calm is for lines that run without a question since they only read: git then runs
// no hook and takes no lock.
func Environ(env []string, calm bool, f environ.Filter) (out []string, kept []environ.Kept) {
	env, kept = f.Split(env)
	set := []string{
		"KEN_ORIGIN=tool", "TERM=dumb", "NO_COLOR=1",
		"PAGER=cat", "MANPAGER=cat", "GIT_PAGER=cat", "SYSTEMD_PAGER=cat", "GH_PAGER=cat", "AWS_PAGER=",
		"EDITOR=false", "VISUAL=false", "GIT_EDITOR=false", "GIT_SEQUENCE_EDITOR=false",
		"GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=false", "SSH_ASKPASS=false", "SSH_ASKPASS_REQUIRE=force",
		"GCM_INTERACTIVE=never", "DEBIAN_FRONTEND=noninteractive",
	}
	config := [][2]string{{"core.fsmonitor", "false"}, {"core.pager", "cat"}, {"core.editor", "false"}}
	if calm {
		set = append(set, "GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1")
		config = append(config, calmGit()...)
	}
	return with(env, set, config, harmful), kept
}

// WithTemp is an environment of the lane with a directory of its own for temporary files.
func WithTemp(env []string, dir string) []string {
	out := slices.DeleteFunc(slices.Clone(env), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return name == "TMPDIR" || name == "TMP" || name == "TEMP"
	})
	return append(out, "TMPDIR="+dir)
}

// Calm returns an environment in which reading commands of git run nothing but git: no
// hook, no monitor, and not in repositories inside of the one that they are for.
func Calm(env []string) []string {
	return with(env, []string{"GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1"}, append(calmGit(), [2]string{"core.fsmonitor", "false"}),
		func(name string) bool { return elsewhere(name) })
}

// calmGit are the settings of git for lines that only read.
func calmGit() [][2]string {
	return [][2]string{
		{"core.hooksPath", "/dev/null"},
		{"safe.bareRepository", "explicit"}, // a directory with the files of a repository is none
		{"diff.ignoreSubmodules", "all"},
		{"status.submoduleSummary", "false"},
		{"submodule.recurse", "false"},
		{"log.showSignature", "false"},
	}
}

// with is env with a PATH of fixed directories, without the variables that leave names, with those of set in place of
// their namesakes, and with settings of git behind those that it has.
func with(env, set []string, config [][2]string, leave func(name string) bool) []string {
	var out []string
	n := 0 // settings of git that the environment has already
	for _, v := range env {
		name, value, _ := strings.Cut(v, "=")
		switch {
		case name == "GIT_CONFIG_COUNT":
			n, _ = strconv.Atoi(value)
			n = max(n, 0)
		case name == "PATH":
			out = append(out, "PATH="+fixed(value))
		case leave(name), slices.ContainsFunc(set, func(s string) bool { return strings.HasPrefix(s, name+"=") }):
		default:
			out = append(out, v)
		}
	}
	for _, c := range config {
		i := strconv.Itoa(n)
		set = append(set, "GIT_CONFIG_KEY_"+i+"="+c[0], "GIT_CONFIG_VALUE_"+i+"="+c[1])
		n++
	}
	return append(append(out, set...), "GIT_CONFIG_COUNT="+strconv.Itoa(n))
}

// elsewhere reports whether a variable has git read another repository than the one
// where it runs, or run something on what it reads.
func elsewhere(name string) bool {
	switch name {
	case "GIT_EXTERNAL_DIFF", "GIT_DIFF_OPTS", "GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY", "GIT_INDEX_FILE", "GIT_NAMESPACE",
		"GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_CONFIG_PARAMETERS", "GIT_CONFIG", "GIT_EXEC_PATH", "GIT_PROXY_COMMAND", "GIT_ATTR_SOURCE", "GIT_TRACE", "GIT_SSH", "GIT_SSH_COMMAND":
		return true
	}
	return strings.HasPrefix(name, "GIT_TRACE")
}

// harmful reports whether a variable has a shell, a pager or git run something that
// does not stand in the line.
func harmful(name string) bool {
	switch name {
	case "", "BASH_ENV", "ENV", "PROMPT_COMMAND", "SHELLOPTS", "BASHOPTS", "IFS", "CDPATH", "GLOBIGNORE", "POSIXLY_CORRECT",
		"LESSOPEN", "LESSCLOSE", "LESS", "RIPGREP_CONFIG_PATH", "GREP_OPTIONS":
		return true
	}
	return strings.HasPrefix(name, "BASH_FUNC_") || elsewhere(name)
}
