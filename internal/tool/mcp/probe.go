package mcp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"ken/internal/connect"
	"ken/internal/termsafe"
	"ken/internal/text"
)

// What a server that was probed can fail at. The assistants that start it say none of it to the person.
var (
	ErrAbsent   = errors.New("its program is not there")
	ErrSilent   = errors.New("it does not answer")
	ErrStranger = errors.New("what answers is not ken")
)

const (
	probeWait = 2 * time.Second // for all answers
	mostWhy   = 200             // bytes of what it printed on standard error
)

// A Starter is where a server is probed.
type Starter struct {
	Dir     string                            // absolute
	Environ []string                          // the environment
	Find    func(name string) (string, error) // finds a program by its name
	Wait    time.Duration                     // for all answers; 0: 2 s
	Now     func() time.Time
}

// An Answer is what a server said of itself.
type Answer struct {
	Program string        // the path that was started
	Version string        // of ken
	Tools   []string      // their names, in its order
	Took    time.Duration // until all was said
}

// Probe starts the server that an assistant has in its settings, as the assistant would, asks what it is and which tools
// it has, and ends it with all that it started. It is asked under a name to which ken gives nothing of the memory. That
// takes as long as at.Wait says, and a second more if the server does not end. Errors are ErrAbsent, ErrSilent or
// ErrStranger, with what it printed of why.
func Probe(ctx context.Context, s connect.Server, at Starter) (a Answer, err error) {
	if a.Program, err = found(s.Argv[0], at); err != nil {
		return a, err
	}
	wait := at.Wait
	if wait == 0 {
		wait = probeWait
	}
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	log := &tail{}
	began := at.Now()
	p, err := start(command{append([]string{a.Program}, s.Argv[1:]...), s.Environ(at.Environ), at.Dir}, log, at.Now)
	if err != nil {
		return a, fmt.Errorf("%w: %w", ErrAbsent, errors.Unwrap(err))
	}
	said := make(chan error, 1)
	go func() { said <- a.hear(p) }()
	select {
	case err = <-said:
		if errors.Is(err, ErrSilent) {
			if why := p.why(); why != nil {
				err = fmt.Errorf("%w: %w", err, why)
			}
		}
		p.end()
	case <-ctx.Done():
		p.end()      // which closes our ends of its streams
		err = <-said // however it failed, that was too late
		a, err = Answer{Program: a.Program}, fmt.Errorf("%w within %v", ErrSilent, wait)
	}
	a.Took = at.Now().Sub(began)
	if text := complaint(log); err != nil && text != "" {
		err = fmt.Errorf("%w: %s", err, text)
	}
	return a, err
}

// found is the path of a program, which an assistant looks for where its environment says.
func found(program string, at Starter) (string, error) {
	if !strings.ContainsAny(program, `/\`) {
		path, err := at.Find(program)
		if err != nil {
			return "", ErrAbsent
		}
		return path, nil
	}
	if !filepath.IsAbs(program) {
		program = filepath.Join(at.Dir, program)
	}
	fi, err := os.Stat(program)
	if err != nil || !fi.Mode().IsRegular() {
		return "", ErrAbsent
	}
	return program, nil
}

// hear asks a server what it is, and for its tools.
func (a *Answer) hear(p io.ReadWriter) error {
	in := bufio.NewReader(p)
	ask := func(message string) error {
		if _, err := io.WriteString(p, `{"jsonrpc":"2.0",`+message+"}\n"); err != nil {
			return ErrSilent
		}
		return nil
	}
	if err := ask(`"id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},` +
		`"clientInfo":{"name":"` + connect.CheckClient + `","version":"1"}}`); err != nil {
		return err
	}
	var who struct {
		ServerInfo struct{ Name, Version string }
	}
	if err := answerTo(in, 1, &who); err != nil {
		return err
	}
	if who.ServerInfo.Name != "ken" {
		return ErrStranger
	}
	a.Version = who.ServerInfo.Version
	if err := ask(`"method":"notifications/initialized"`); err != nil {
		return err
	}
	if err := ask(`"id":2,"method":"tools/list"`); err != nil {
		return err
	}
	var list struct{ Tools []struct{ Name string } }
	if err := answerTo(in, 2, &list); err != nil {
		return err
	}
	for _, t := range list.Tools {
		a.Tools = append(a.Tools, t.Name)
	}
	return nil
}

// answerTo reads on until what answers a request.
func answerTo(in *bufio.Reader, id int, into any) error {
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return ErrSilent
		}
		var m struct {
			ID     any
			Result json.RawMessage
			Error  *struct{ Message string }
		}
		if json.Unmarshal(line, &m) != nil || m.ID != float64(id) {
			continue
		}
		if m.Error != nil {
			return fmt.Errorf("%w: %s", ErrSilent, clipped(m.Error.Message))
		}
		if json.Unmarshal(m.Result, into) != nil {
			return ErrStranger
		}
		return nil
	}
}

// complaint is the first line that a server printed on its standard error, to be shown.
func complaint(log *tail) string {
	text, _ := log.text()
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "(stdout) ") {
			return clipped(line)
		}
	}
	return ""
}

// clipped is a text of a server on one line of bounded length.
func clipped(said string) string { return text.CutBytes(termsafe.Line(said), mostWhy) }
