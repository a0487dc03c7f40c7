package cli

import (
	"context"
	"strings"
	"time"

	"ken/internal/repl/edit"
	"ken/internal/termsafe"
)

// serverWait is how long who presses Tab waits for a tool server, which is asked in the background: what it has
// is there at the next Tab.
const serverWait = 700 * time.Millisecond

// servers are the names of the tool servers. None is started.
func (a words) servers() []string {
	s, err := a.run.Servers()
	if err != nil {
		return nil
	}
	return s.Names()
}

// resources are the URIs of what a server has to read.
func (a words) resources(ctx context.Context, server string) (list []edit.Word) {
	s, err := a.run.Servers()
	if err != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, serverWait)
	defer cancel()
	resources, _ := s.Wares().Known(ctx, server)
	for _, r := range resources {
		list = append(list, edit.Word{Text: r.URI, About: r.About})
	}
	return list
}

// served are the questions of tool servers that word, the first one of a command, is the beginning of: the
// servers before their dot, and what the one has behind it.
func (a words) served(ctx context.Context, word string) (list []edit.Word) {
	server, begin, dot := strings.Cut(word, ".")
	for _, name := range a.servers() {
		switch {
		case !dot && word != "" && strings.HasPrefix(name, word):
			list = append(list, edit.Word{Text: name + ".", About: "questions of a tool server"})
		case dot && name == server:
			list = append(list, a.ofServer(ctx, name, begin)...)
		}
	}
	return list
}

// ofServer are the questions of a server that begin so, as they are called: server.prompt.
func (a words) ofServer(ctx context.Context, server, begin string) (list []edit.Word) {
	s, err := a.run.Servers()
	if err != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, serverWait)
	defer cancel()
	_, prompts := s.Wares().Known(ctx, server)
	for _, p := range prompts {
		if strings.HasPrefix(p.Name, begin) && !strings.ContainsAny(p.Name, " '\"\\") { // others are not one word
			list = append(list, edit.Word{Text: server + "." + p.Name + " ", About: p.About})
		}
	}
	return list
}

// arguments are those that a question of a tool server takes, where a line begins with one, without those
// that stand there.
func (a words) arguments(ctx context.Context, line, word string) (list []edit.Word) {
	taken := strings.Fields(line)
	if len(taken) == 0 {
		return nil
	}
	server, name, ok := strings.Cut(taken[0], ".")
	s, err := a.run.Servers()
	if !ok || err != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, serverWait)
	defer cancel()
	_, prompts := s.Wares().Known(ctx, server)
	for _, p := range prompts {
		if p.Name != name {
			continue
		}
		for _, arg := range p.Args {
			text := arg.Name + "="
			stands := false
			for _, w := range taken[1:] {
				stands = stands || strings.HasPrefix(w, text)
			}
			if !stands && strings.HasPrefix(text, word) && !strings.ContainsAny(text, " '\"\\") && termsafe.Line(text) == text {
				list = append(list, edit.Word{Text: text, About: arg.Label})
			}
		}
	}
	return list
}
