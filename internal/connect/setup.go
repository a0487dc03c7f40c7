package connect

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ken/internal/fault"
)

// A Setup is what is asked of an assistant: what is to stand in its settings, or to be taken out of them.
type Setup struct {
	Place   Place
	Find    func(name string) (path string, err error) // finds a program as the person's shell does
	Dir     string                                     // where the person stands: an absolute path
	Self    string                                     // the path of this program
	Command string                                     // the path under which ken is to be started; "": as Find has it

	Want   Want // For fills in Command, Hooks and Project
	Hooks  string
	Remove bool // it is taken out
	// InProject is set where it is for the project around Dir and whoever works on it, not for the person everywhere.
	InProject bool
}

// The values of Setup.Hooks; "" is what the assistant has usually.
const (
	HooksNone   = "none"   // no hook gives what is remembered
	HooksStart  = "start"  // one does at the start of a conversation
	HooksPrompt = "prompt" // and at each question
)

// Names are those of all assistants and editors that are known, sorted.
func Names() (list []string) {
	for _, a := range Agents() {
		list = append(list, a.Name)
	}
	for _, g := range Guides("") {
		list = append(list, g.Name)
	}
	slices.Sort(list)
	return list
}

// WithCommand returns s with the path under which assistants start ken. Links in it stay: what they lead to moves when ken is
// updated. The error is that there is no such program.
func (s Setup) WithCommand() (Setup, error) {
	path := s.Command
	if path == "" {
		path = s.Self
		if found, err := s.Find("ken"); err == nil {
			path = found
		}
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(s.Dir, path)
	}
	fi, err := os.Stat(path)
	switch {
	case err != nil:
		return s, fault.Usagef("no program to start: %v", err)
	case !fi.Mode().IsRegular():
		return s, fault.Usagef("%s is no program", path)
	case strings.TrimSuffix(filepath.Base(path), ".exe") != "ken":
		return s, fault.Usagef("%s: the program must be called ken, or nobody would know its entry again", path)
	}
	s.Want.Command = path
	return s, nil
}

// For returns s as it is for one assistant, with its usual hooks unless others were asked for. The error is that the assistant does
// not have what is asked for.
func (s Setup) For(agent Agent) (Setup, error) {
	switch s.Hooks {
	case HooksNone:
		s.Want.Hooks = Never
	case HooksStart:
		s.Want.Hooks = AtStart
	case HooksPrompt:
		s.Want.Hooks = AtPrompt
	default:
		s.Want.Hooks = agent.Usual
	}
	switch {
	case s.Want.Lines && !agent.HasLines():
		return s, fault.Usagef("no file of instructions of %s is known", agent.Title)
	case !s.InProject:
		return s, nil
	case !agent.InProject():
		return s, fault.Usagef("%s has no settings in projects", agent.Title)
	case s.Want.Scope != "":
		return s, fault.Usagef("what an assistant is given is each person's choice, and no project's: leave out --scope")
	case s.Want.Recall, s.Hooks != "" && s.Hooks != HooksNone:
		return s, fault.Usagef("hooks and leave to recall are each person's, and no project's: leave out --hooks and --allow-recall")
	}
	root := projectOf(s.Dir)
	if same, err := filepath.EvalSymlinks(s.Place.Home); root == s.Place.Home || err == nil && root == same {
		return s, fault.Usagef("this is your home directory, and no project")
	}
	s.Want.Project, s.Want.Hooks = root, Never
	if s.Command == "" {
		s.Want.Command = "ken" // as the PATH of each has it
	}
	return s, nil
}

// projectOf is the top of the repository that a directory is in, or the directory itself.
func projectOf(dir string) string {
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			return at
		}
		if at == filepath.Dir(at) {
			return dir
		}
	}
}

// Plan is what changes in the files of an assistant; nothing is written. Errors are those of the function Plan.
func (s Setup) Plan(agent Agent) ([]Change, error) { return s.plan(agent, s.Want) }

func (s Setup) plan(agent Agent, want Want) (list []Change, err error) {
	for _, f := range agent.Files(s.Place, want) {
		c, err := Plan(f, s.Remove)
		if err != nil {
			return nil, err
		}
		if c.Changes() {
			list = append(list, c)
		}
	}
	return list, nil
}

// A Standing is how an assistant stands.
type Standing string

// The standings.
const (
	Absent  Standing = "not here"
	Unset   Standing = "not set up"
	IsSet   Standing = "set up"
	Differs Standing = "differs"          // something of ken's is there, and not as it would be set up
	Refused Standing = "cannot be set up" // a file of its settings cannot be written as it stands
	Mute    Standing = "does not answer"  // it is set up, and the server in its settings does not answer
)

// leave is said of an assistant that is set up to call recall without asking its person.
const leave = "it calls recall without asking"

// Standing is how an assistant stands by its files, and why where that is not plain.
func (s Setup) Standing(agent Agent) (is Standing, why string) {
	put := s
	put.Remove = false
	for _, want := range s.wants(agent) {
		want.Command, want.Project = s.Want.Command, s.Want.Project
		missing, err := put.plan(agent, want)
		if err != nil {
			return Refused, err.Error()
		}
		if len(missing) > 0 {
			continue
		}
		if want.Recall {
			why = leave
		}
		return IsSet, why
	}
	take := s
	take.Remove = true
	switch there, err := take.Plan(agent); {
	case err != nil:
		return Refused, err.Error()
	case len(there) > 0:
		return Differs, ""
	case agent.Here(s.Place, s.Find):
		return Unset, ""
	}
	return Absent, ""
}

// wants are what counts as set up: what is asked for, and what is not asked about either way.
func (s Setup) wants(agent Agent) (all []Want) {
	hooks := []When{AtStart, Never, AtPrompt}
	if s.Hooks != "" || !agent.Hooks || s.InProject {
		hooks = []When{s.Want.Hooks}
	}
	for _, recall := range []bool{s.Want.Recall && agent.Asks, agent.Asks && !s.InProject} {
		for _, tell := range []bool{s.Want.Lines, agent.HasLines()} {
			for _, when := range hooks {
				all = append(all, Want{Hooks: when, Recall: recall, Lines: tell, Scope: s.Want.Scope})
				if s.Want.Scope == "" && !s.InProject {
					all = append(all, Want{Hooks: when, Recall: recall, Lines: tell, Scope: UserWord})
				}
			}
		}
	}
	return all
}

// ByHand is what a person puts into the files of an assistant where ken cannot write them, a text for each.
func (s Setup) ByHand(agent Agent, short func(path string) string) (texts []string) {
	for _, file := range agent.Files(s.Place, s.Want) {
		if text := file.Snippet(); text != "" {
			texts = append(texts, fmt.Sprintf("in %s:\n%s", short(file.Path), strings.TrimSuffix(text, "\n")))
		}
	}
	return texts
}
