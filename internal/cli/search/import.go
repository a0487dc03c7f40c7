package search

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/engine"
	"ken/internal/fault"
	"ken/internal/foreign"
	"ken/internal/memory"
	"ken/internal/regular"
	"ken/internal/view"
)

// importFlags are the flags of an import.
type importFlags struct {
	format, scope  string
	asJSON, dryRun bool
}

// Formats are the names of the formats that import reads.
func Formats() []string {
	names := make([]string, len(foreign.Formats()))
	for i, format := range foreign.Formats() {
		names[i] = string(format)
	}
	return names
}

func importCommand(a *term.Run) *cobra.Command {
	var f importFlags
	names := Formats()
	cmd := &cobra.Command{
		Use:   "import FILE...",
		Short: "import memories and conversations of other assistants",
		Long: `Import reads what other assistants and programs kept. What they remember is
suggested, and waits in ` + "`ken review`" + ` until you say yes; conversations become sessions
that can be searched and are never memory. Secrets are masked. FILE may be a
directory, a zip file as vendors send it, or - for standard input; what kind it is, is seen from its name and
content unless --format says it. Importing again adds nothing twice. What cannot be
read is reported and left out, the rest is taken, and the exit code is then 1.`,
		Example:     "  ken import ~/.claude/projects\n  ken import --dry-run CLAUDE.md AGENTS.md\n  ken import --format turns standup.jsonl",
		Args:        cobra.MinimumNArgs(1),
		Annotations: term.Writes{Memory: "memories, and conversations to be searched"}.Note(),
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.format != "" {
				if err := term.OneOf("--format", f.format, names...); err != nil {
					return err
				}
			}
			return importAll(a, cmd, args, f)
		},
	}
	cmd.Flags().StringVar(&f.format, "format", "", "what FILE is: a `FORMAT` of "+strings.Join(names, ", "))
	cmd.Flags().StringVar(&f.scope, "scope", "", "`SCOPE` of what names none: user, here, repo, dir, or a full one; of turns any name")
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "what was done, as a JSON object")
	cmd.Flags().BoolVar(&f.dryRun, "dry-run", false, "only say what would be taken")
	return cmd
}

// Limits of what is printed and of what is held before it is written.
const (
	mostTold   = 20
	mostBad    = 1000
	mostWould  = 1000
	batchCount = 50_000   // candidates
	batchBytes = 16 << 20 // of texts and what goes with each
	besides    = 256      // of what goes with a text, about
)

// An importing is one run of the command.
type importing struct {
	a          *term.Run
	ctx        context.Context
	flags      importFlags
	done       view.Imported
	turns      []foreign.Turn
	candidates []foreign.Candidate
	size       int             // of what is held, in bytes of turns
	sessions   map[string]bool // whose turns were seen
	nTurns     int             // turns seen
	nFound     int             // candidates seen
	of         *memory.Source  // the page that is read; nil: none, or no file that stays
}

func importAll(a *term.Run, cmd *cobra.Command, args []string, f importFlags) error {
	if _, err := a.Home.Settings.Read(); err != nil {
		return err
	}
	i := &importing{a: a, ctx: cmd.Context(), flags: f, sessions: make(map[string]bool)}
	i.done.Bad, i.done.Files, i.done.DryRun = []view.ImportGap{}, []string{}, f.dryRun
	var unread error // the last file that could not be read
	for _, arg := range args {
		if err := i.argument(arg); err != nil {
			if len(args) == 1 || i.ctx.Err() != nil {
				return err
			}
			a.Warn(err)
			unread = err
		}
	}
	if err := i.flush(); err != nil {
		return err
	}
	i.done.Sessions = len(i.sessions)
	if i.nTurns+i.nFound+i.done.Left == 0 && unread == nil {
		if len(args) == 1 && f.format == "" && foreign.Unnamed(args[0]) {
			return fault.Failuref("import %s: a page in Markdown, and nothing in it reads like a fact or a rule", args[0]).
				WithHint("to ask about it: %s", fault.Command("ask -f "+args[0]+" \"...\""))
		}
		return fault.Failuref("import %s: nothing was found in it", strings.Join(args, ", ")).
			WithHint("is it the right file? if so, say what it is: %s --format FORMAT FILE", fault.Command("import"))
	}
	err := i.tell()
	if n := i.done.Left; n > 0 {
		noun := "line"
		for _, b := range i.done.Bad {
			if b.Offset > 0 {
				noun = "part"
			}
		}
		name := strings.Join(args, ", ")
		err = errors.Join(err, fault.Failuref("%s: %s left out", name, view.Count(n, noun)).
			WithHint("mend them and import the file again: what is there stays as it is"))
	}
	if unread != nil {
		err = errors.Join(err, fault.New(fault.Failure, term.Reported(unread)))
	}
	return err
}

// argument imports a file, all of a directory, or standard input.
func (i *importing) argument(arg string) error {
	if arg == "-" {
		if i.a.Shell != nil {
			return fault.Usagef("- is standard input, which is the shell's").WithHint("leave the shell, then: ken import -")
		}
		return i.file("-", i.a.Env.Stdin, time.Time{}, false)
	}
	if i.a.Shell != nil { // no other shell was there to do it
		arg, _ = regular.Expand(arg, i.a.Env.Getenv("HOME"))
	}
	stat, err := os.Stat(arg)
	if err != nil {
		return fmt.Errorf("import: %w", err)
	}
	if !stat.IsDir() {
		return i.open(arg, false)
	}
	files, err := filesBelow(arg)
	if err != nil {
		return fmt.Errorf("import: %w", err)
	}
	before := len(i.done.Files)
	for _, path := range files {
		if err := i.open(path, true); err != nil {
			return err
		}
	}
	if len(i.done.Files) == before {
		return fault.Failuref("import %s: nothing that is known is in it", arg).WithHint("name the file, and say what it is: --format")
	}
	return nil
}

func (i *importing) open(path string, among bool) error {
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("import: %w", err)
	}
	var at time.Time
	stat, err := f.Stat()
	if err == nil {
		at = stat.ModTime()
	}
	if abs, unknown := filepath.Abs(path); unknown == nil {
		i.of, _ = foreign.PageOf(abs, i.a.Home.Settings.Short(abs)) // of what is larger no memory says where it is from
	}
	err = i.file(path, f, at, among)
	i.of = nil
	if errors.Is(err, foreign.ErrZip) && stat != nil {
		err = i.zip(path, f, stat.Size(), among)
	}
	return errors.Join(err, f.Close())
}

// zip imports what is known in a zip file, which is read where it lies.
func (i *importing) zip(path string, f *os.File, size int64, among bool) error {
	before := len(i.done.Files)
	err := foreign.Unpack(f, size, func(p foreign.Packed) error {
		return i.file(filepath.Join(path, filepath.FromSlash(p.Name)), p, p.Time, true)
	})
	switch {
	case err != nil:
		return fault.Failuref("import %s: %w", path, err).WithHint("unzip it, and import the files that were in it")
	case len(i.done.Files) == before && !among:
		return fault.Failuref("import %s: nothing that is known is in it", path).WithHint("unzip it, name a file, and say what it is: --format")
	}
	return nil
}

// file imports one file. Among the files of a directory one that is nothing known
// is passed over.
func (i *importing) file(path string, r io.Reader, at time.Time, among bool) error {
	br := bufio.NewReaderSize(r, foreign.HeadSize)
	head, err := br.Peek(foreign.HeadSize)
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("import %s: %w", path, err)
	}
	format := foreign.Format(i.flags.format)
	guess, err := foreign.Guess(path, head)
	switch {
	case errors.Is(err, foreign.ErrZip) && path != "-":
		return err
	case err != nil && among:
		i.done.Other++
		return nil
	case errors.Is(err, foreign.ErrZip):
		return fault.Failuref("import: a zip file cannot be read from standard input").
			WithHint("name the file: %s FILE.zip", fault.Command("import"))
	case err != nil:
		return fault.Failuref("import %s: %w", path, err).WithHint("unpack it, and import the files that were in it")
	case format == "":
		format = guess
	case among && guess != "" && guess != format:
		format = ""
	}
	if format == "" && among {
		i.done.Other++
		return nil
	}
	if format == "" {
		return fault.Usagef("import %s: it is not clear what that is", path).WithHint("say it: %s --format FORMAT FILE", fault.Command("import"))
	}
	if i.flags.format == "" && format == foreign.ClaudeMD && !among && foreign.Unnamed(path) {
		i.a.Status("%s is of no assistant that is known: read as a page; what in it reads like a fact or a rule is suggested", path)
	}
	scope, err := i.scopeOf(format, path)
	if err != nil {
		return err
	}
	i.done.Files = append(i.done.Files, path)
	o := foreign.Options{Scope: scope, Mask: i.a.Home.Keys.MaskText, File: path, Time: at, Dir: i.dirScope}
	if path == "-" {
		o.File = ""
	}
	for e, err := range foreign.Read(br, format, o) {
		var bad *foreign.LineError
		if errors.As(err, &bad) {
			i.bad(path, bad)
			continue
		}
		if err != nil {
			return fmt.Errorf("import %s: %w", path, err)
		}
		if format == foreign.ClaudeMD && i.of != nil { // each line of a page says one thing
			for n := range e.Candidates {
				e.Candidates[n].Record.Source = i.of
			}
		}
		if err := i.take(e); err != nil {
			return err
		}
	}
	return nil
}

func (i *importing) bad(path string, e *foreign.LineError) {
	cause := i.a.Home.Keys.MaskText(e.Cause.Error())
	switch i.done.Left++; {
	case i.done.Left <= mostTold:
		i.a.Say("ken: warning: ", i.a.Home.Keys.MaskText(fmt.Sprintf("%s: %v", path, e)))
	case i.done.Left == mostTold+1:
		i.a.Say("ken: warning: ", "and more")
	}
	if len(i.done.Bad) < mostBad {
		i.done.Bad = append(i.done.Bad, view.ImportGap{File: path, Line: e.Line, Offset: e.Offset, Cause: cause})
	}
}

// take keeps an entry until there are enough of them to be written at once.
func (i *importing) take(e foreign.Entry) error {
	i.nTurns += len(e.Turns)
	i.nFound += len(e.Candidates)
	for _, t := range e.Turns {
		i.sessions[t.Session] = true
		i.size += len(t.Text) + besides
	}
	if i.flags.dryRun {
		i.done.Proposed += len(e.Candidates)
		for _, c := range e.Candidates {
			if len(i.done.Would) < mostWould {
				scope := string(c.Record.Scope)
				if scope == "" {
					scope = "user"
				}
				i.done.Would = append(i.done.Would, view.ImportFound{
					Kind: string(c.Record.Kind), Scope: scope, Content: i.a.Home.Keys.MaskText(c.Record.Content),
				})
			}
		}
		return i.ctx.Err()
	}
	i.turns = append(i.turns, e.Turns...)
	i.candidates = append(i.candidates, e.Candidates...)
	for _, c := range e.Candidates {
		i.size += len(c.Record.Content) / 8 // the queue is read anew at each append: rather fewer
	}
	if i.size < batchBytes && len(i.candidates) < batchCount {
		return nil
	}
	return i.flush()
}

// flush writes what is held: the turns session by session, the candidates in one
// append.
func (i *importing) flush() error {
	if len(i.turns) > 0 {
		c, err := foreign.Import(i.ctx, i.a.Home.Conversations.Dir(), i.turns)
		i.done.Added, i.done.Changed, i.done.Same = i.done.Added+c.Added, i.done.Changed+c.Changed, i.done.Same+c.Same
		if err != nil {
			return err
		}
	}
	if len(i.candidates) > 0 {
		w, err := i.a.Home.Memory.Writer()
		if err != nil {
			return err
		}
		list := make([]engine.Suggestion, len(i.candidates))
		for n, c := range i.candidates {
			list[n] = engine.Suggestion{Record: c.Record, Why: c.Why}
		}
		got, err := w.Propose(i.ctx, list...)
		if err != nil {
			return fmt.Errorf("import: %w", err)
		}
		for _, p := range got {
			if p.New {
				i.done.Proposed++
			} else {
				i.done.Known++
			}
		}
	}
	i.turns, i.candidates, i.size = nil, nil, 0
	return nil
}

// tell answers with what was done.
func (i *importing) tell() error {
	if i.flags.asJSON {
		return i.a.PrintJSON(i.done)
	}
	for _, w := range i.done.Would {
		if err := i.a.Println(fmt.Sprintf("%s (%s, %s)", view.Excerpt(w.Content, 200), w.Kind, w.Scope)); err != nil {
			return err
		}
	}
	if i.done.Added > 0 {
		i.a.Status("what was said there is found by %s and %s", i.a.Verb("recall"), i.a.Verb("sessions search"))
	}
	return i.a.Println(i.text())
}

// text is what was done, for a person.
func (i *importing) text() string {
	d := &i.done
	var parts []string
	switch {
	case d.DryRun && d.Proposed > 0:
		parts = append(parts, "would propose "+view.Memories(d.Proposed))
	case d.Proposed+d.Known > 0:
		s := "proposed " + view.Memories(d.Proposed)
		if d.Known > 0 {
			s += fmt.Sprintf(", %d known already", d.Known)
		}
		if d.Proposed > 0 {
			s += fmt.Sprintf(" (decide: %s)", i.a.Verb("review"))
		}
		parts = append(parts, s)
	}
	if d.DryRun && (i.nTurns > 0 || len(parts) == 0) {
		parts = append(parts, "would import "+view.Count(i.nTurns, "turn"))
	} else if !d.DryRun && (i.nTurns > 0 || len(parts) == 0) {
		s := fmt.Sprintf("imported %s of %s", view.Count(d.Added, "turn"), view.Count(d.Sessions, "session"))
		if d.Changed > 0 {
			s += fmt.Sprintf(", %d changed", d.Changed)
		}
		if d.Same > 0 {
			s += fmt.Sprintf(", %d already there", d.Same)
		}
		parts = append(parts, s)
	}
	if d.Other > 0 {
		parts = append(parts, view.Count(d.Other, "other file")+" passed over")
	}
	return strings.Join(parts, "; ")
}
