package mcp

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ken/internal/config"
	"ken/internal/regular"
	"ken/internal/tool/environ"
)

// origin is the variable by which ken knows that it runs for a tool: what it is then told
// is a proposal, and it starts no servers.
const origin = "KEN_ORIGIN"

// Environ returns the environment of a server: what every program needs, the variables that its
// table passes on by name and those that it sets, and nothing else of env.
func Environ(env []string, set config.Server) []string {
	return environ.Bare(env, set.EnvPass, set.Env, map[string]string{origin: "tool"})
}

// value returns a variable of an environment.
func value(env []string, name string) string {
	for _, v := range slices.Backward(env) {
		if have, is, _ := strings.Cut(v, "="); have == name {
			return is
		}
	}
	return ""
}

// program finds a program as a shell would, but in no directory that is another one wherever
// ken is.
func program(name string, env []string) (string, error) {
	if strings.ContainsRune(name, filepath.Separator) || strings.Contains(name, "/") {
		name, _ = regular.Expand(name, value(env, "HOME"))
		if !filepath.IsAbs(name) {
			return "", fmt.Errorf("%s: want a name, or an absolute path", name)
		}
		return name, nil
	}
	endings := []string{""}
	if os.PathSeparator == '\\' {
		endings = []string{".exe", ".cmd", ".bat"}
	}
	for _, dir := range filepath.SplitList(value(env, "PATH")) {
		if !filepath.IsAbs(dir) {
			continue
		}
		for _, end := range endings {
			path := filepath.Join(dir, name+end)
			if fi, err := os.Stat(path); err == nil && fi.Mode().IsRegular() && (end != "" || fi.Mode().Perm()&0o111 != 0) {
				return path, nil
			}
		}
	}
	return "", fmt.Errorf("%s: there is no such program", name)
}

var errSelf = errors.New("its command is ken itself: a memory needs no server to be asked")

// command says how a server is started. self is the path of this program.
func (o Options) command(set config.Server) (command, error) {
	argv := slices.Concat(set.Command, set.Args)
	if len(argv) == 0 {
		return command{}, errors.New("it has neither a command nor a url")
	}
	env := Environ(o.Env, set)
	path, err := program(argv[0], env)
	if err != nil {
		return command{}, err
	}
	mine, err := os.Stat(o.Self)
	if fi, ferr := os.Stat(path); err == nil && ferr == nil && os.SameFile(mine, fi) {
		return command{}, errSelf
	}
	argv[0] = path
	dir := o.Home
	switch set.Cwd {
	case "":
	case ".":
		dir = o.Dir
	default:
		dir, _ = regular.Expand(set.Cwd, o.Home)
	}
	if fi, err := os.Stat(dir); err != nil || !fi.IsDir() {
		return command{}, fmt.Errorf("its directory is not there: %s", dir)
	}
	return command{argv: argv, env: env, dir: dir}, nil
}
