package risk

import (
	"slices"
	"strings"

	"ken/internal/risk/programs"
)

// maxDirs are the directories that are followed in a line.
const maxDirs = 16

// nowhere is where a directory lies that is named from one that is not known.
const nowhere = "/?"

// everywhere does what judges a path once for each directory where the line may stand:
// a change of directory may fail, or be done in a branch that is not taken.
func (j *judge) everywhere(do func()) {
	for _, d := range j.dirs {
		j.paths.Dir = d
		do()
	}
	j.paths.Dir = j.dirs[0]
}

// stand makes dirs the directories where the line may stand.
func (j *judge) stand(dirs []string) {
	j.dirs = dirs
	j.paths.Dir = dirs[0]
	for _, d := range dirs {
		if !slices.Contains(j.stood, d) {
			j.stood = append(j.stood, d)
		}
	}
	if len(j.stood) > maxDirs {
		j.say(Danger, "goes to more directories than anybody follows", scene{}, 0, len(clip(j.line)))
		j.stood = j.stood[:maxDirs]
		j.dirs = j.dirs[:min(len(j.dirs), maxDirs)]
	}
}

// either joins the directories where the line may stand now with others.
func (j *judge) either(others []string) {
	if len(others) == 1 && len(j.dirs) == 1 && others[0] == j.dirs[0] {
		return
	}
	dirs := slices.Clone(j.dirs)
	for _, d := range others {
		if !slices.Contains(dirs, d) {
			dirs = append(dirs, d)
		}
	}
	j.stand(dirs)
}

// goTo keeps where the rest of the line runs.
func (j *judge) goTo(name string, args []programs.Word) {
	target := programs.Word{Text: "~"}
	for len(args) > 0 && programs.IsFlag(args[0]) && (in(args[0].Text, "-L", "-P", "-e", "-@", "--", "-LP", "-Pe") || name == "pushd" && args[0].Text == "-n") {
		args = args[1:]
	}
	if len(args) > 0 {
		target = args[0]
	}
	switch {
	case name == "popd", name == "pushd" && len(args) == 0, target.Text == "-", strings.HasPrefix(target.Text, "+"), programs.IsFlag(target):
		j.moved = true
		j.stand(append(slices.Clone(j.stood), ""))
		return
	}
	var dirs []string
	for _, d := range j.dirs {
		to := j.resolve(d, target)
		if to == "" || j.here.Dir == "" || to != j.paths.Clean(j.here.Dir) {
			j.moved = true
		}
		if !slices.Contains(dirs, to) {
			dirs = append(dirs, to)
		}
	}
	j.stand(dirs)
}

// resolve is where one stands after going to target from dir; "" if that is not
// known.
func (j *judge) resolve(dir string, target programs.Word) string {
	t := target.Text
	home := strings.HasPrefix(t, "$HOME") || strings.HasPrefix(t, "${HOME}")
	switch {
	case target.Glob, target.Subst, target.Tainted, target.Set, target.Hole && !home, t == "":
		return ""
	case home || t[0] == '~' || t[0] == '/':
		return j.paths.Clean(t)
	case dir == "":
		dir = nowhere
	}
	kept := j.paths.Dir
	j.paths.Dir = dir
	to := j.paths.Clean(t)
	j.paths.Dir = kept
	return to
}

// again judges once more what runs later than it stands, such as a function, if the
// line goes to other directories behind it.
func (j *judge) again(from int) {
	for len(j.later) > from {
		do := j.later[len(j.later)-1]
		j.later = j.later[:len(j.later)-1]
		if len(j.stood) == 1 && !j.moved {
			continue
		}
		kept := j.dirs
		j.stand(append(slices.Clone(j.stood), ""))
		do()
		j.stand(kept)
	}
}

// obeyed reports whether one of the files that a program would obey is there, as far as is known.
func (j *judge) obeyed(names []string) bool {
	switch {
	case j.moved || len(j.wrote) > 0: // it may stand elsewhere, or have made one
		return true
	case j.here.Has == nil:
		return !j.here.TrustedGit
	}
	return slices.ContainsFunc(names, j.here.Has)
}
