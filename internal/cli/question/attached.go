package question

import (
	"context"
	"slices"

	"ken/internal/agent"
	"ken/internal/agent/turn"
	"ken/internal/attach"
	"ken/internal/cli/term"
	"ken/internal/fault"
	"ken/internal/termsafe"
)

// reader reads what a person names where they stand.
func reader(a *term.Run) attach.Reader {
	return attach.Reader{
		Dir: a.Env.Dir, Home: a.Env.Getenv("HOME"),
		Mask: func(s string) (string, int) {
			masked, hits := a.Home.Keys.Mask(s)
			return masked, len(hits)
		},
		Server: isServer(a),
	}
}

// openAll reads files by name.
func openAll(ctx context.Context, a *term.Run, names []string) (list []attach.Attachment, err error) {
	for _, name := range names {
		file, err := reader(a).Open(ctx, name)
		if err != nil {
			return nil, err
		}
		list = append(list, file)
	}
	return list, nil
}

// mentioned reads the files, and the resources of tool servers, that a line of the shell names behind "@".
func mentioned(ctx context.Context, a *term.Run, line string) ([]attach.Attachment, error) {
	m := reader(a).Mentioned(line)
	for _, name := range m.Gone {
		a.Status("@%s: there is no such file; it goes as words", name)
	}
	if p, err := a.Home.Models().Preset(""); err == nil && !a.Home.Models().TakesImages(p.Name) {
		m.Pictures = nil // a path is a path to who cannot see what is there
	}
	files, err := openAll(ctx, a, slices.Concat(m.Files, m.Pictures))
	if err != nil {
		return nil, err
	}
	given, err := readAll(ctx, a, m.Resources)
	return append(files, given...), err
}

// Line is a line of the shell as a question, with the files that it names behind "@". The person is
// told what goes along.
func Line(ctx context.Context, a *term.Run, line string) (turn.Question, error) {
	q := turn.Question{Text: line, Typed: line, Sentence: true}
	files, err := mentioned(ctx, a, line)
	if err != nil {
		return q, err
	}
	tellAttached(a, files)
	return withFiles(q, files, ""), nil
}

// withFiles puts files and what was piped in into a question.
func withFiles(q turn.Question, files []attach.Attachment, piped string) turn.Question {
	for _, f := range files {
		q.Attached = append(q.Attached, fileOf(f))
	}
	if len(files) > 0 || piped != "" {
		q.Text, q.From = agent.With(q.Typed, q.Attached, piped), "external"
	}
	return q
}

// fileOf is an attachment as a conversation takes it.
func fileOf(f attach.Attachment) agent.File {
	return agent.File{Name: f.Name, Kind: string(f.Kind), Path: f.Path, Bytes: f.Bytes, Block: f.Block(), Picture: agent.Picture{
		Type: f.Image.Type, Data: f.Image.Data, Tokens: f.Image.Tokens(),
	}}
}

// Pictures are those of the person's machine.
func Pictures(a *term.Run) agent.Pictures { return pictures{a} }

type pictures struct{ run *term.Run }

// Reopen implements agent.Pictures.
func (p pictures) Reopen(ctx context.Context, path string) (agent.Picture, error) {
	f, err := reader(p.run).Open(ctx, path)
	return fileOf(f).Picture, err
}

// tellAttached says what goes along with a question.
func tellAttached(a *term.Run, files []attach.Attachment) {
	if line := attach.Line(files); line != "" {
		a.Status("%s", line)
	}
}

// TellMentions says, where a line is not the shell's, how the files are attached that it names.
func TellMentions(a *term.Run, typed string) {
	m := reader(a).Mentioned(typed)
	for _, r := range m.Resources {
		if isServer(a)(r.Server) {
			a.Status("@%s:%s goes as words; in the shell it is attached", r.Server, termsafe.Line(r.URI))
		}
	}
	for _, name := range m.Files {
		a.Status("@%s goes as words; to attach it: %s", name, a.Verb(string(fault.Command("ask -f "+name+" ..."))))
	}
}
