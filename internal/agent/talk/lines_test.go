package talk_test

// A face that converses over lines of text, as small as one can be: it says what a new face has to do, and that it need not do more.
// TestSmallFace holds it, and holds it to its size and imports.

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"ken/internal/agent/host"
	"ken/internal/agent/talk"
	"ken/internal/agent/turn"
	"ken/internal/app"
	"ken/internal/llm"
	"ken/internal/termsafe"
)

// A lines is conversations by name, over lines of text: "NAME what is asked", "NAME /verb what for", "NAME /stop". What is said comes
// as "NAME: ...", what was done with the memory as "NAME> ...", what went wrong as "NAME! ...", and the end of each as "NAME.".
type lines struct {
	talk talk.Options // what each is held with
	host *host.Host[*talk.Talk]

	mu   sync.Mutex // guards what follows
	out  io.Writer
	kept map[string]*was
}

// A was is what a conversation that is closed is opened again with.
type was struct {
	id   string
	kept talk.Kept
}

// serve answers the lines of in until it ends or ctx does.
func serve(ctx context.Context, memory *app.App, in io.Reader, out io.Writer) {
	f := &lines{
		talk: talk.Options{Memory: memory, Channel: "lines", Who: app.Actor{Kind: app.Person}},
		host: host.New[*talk.Talk](host.Options{Most: 2}), out: out, kept: make(map[string]*was),
	}
	defer f.host.Close(context.WithoutCancel(ctx))
	for s := bufio.NewScanner(in); s.Scan() && ctx.Err() == nil; {
		name, text, _ := strings.Cut(termsafe.Line(s.Text()), " ")
		if text == "/stop" {
			f.host.Stop(name)
			continue
		}
		t, err := f.host.Queue(ctx, name, f)
		if err != nil {
			f.fail(name, err)
			continue
		}
		go f.take(t, name, text)
	}
}

// Open implements host.Opener.
func (f *lines) Open(ctx context.Context, name string) (*talk.Talk, error) {
	w, o := f.was(name), f.talk
	o.Session, o.Kept = w.id, &w.kept
	return talk.Open(ctx, o)
}

func (f *lines) was(name string) *was {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.kept[name] == nil {
		f.kept[name] = new(was)
	}
	return f.kept[name]
}

// take does what a line asks for, in its turn.
func (f *lines) take(t *host.Turn[*talk.Talk], name, text string) {
	if err := t.Wait(); err != nil {
		f.fail(name, err)
		return
	}
	f.was(name).id = t.Talk.ID()
	err := f.answer(t, name, text)
	t.Done()
	if err != nil {
		f.fail(name, err)
		return
	}
	f.say(name, ".", "")
}

func (f *lines) answer(t *host.Turn[*talk.Talk], name, text string) error {
	told := func(line string) { f.say(name, ">", t.Talk.Mask(line)) }
	if verb, ok := strings.CutPrefix(text, "/"); ok {
		verb, rest, _ := strings.Cut(verb, " ")
		said, err := t.Talk.Do(t.Context(), verb, rest)
		if err == nil {
			told(said)
		}
		return err
	}
	mask, line := t.Talk.Stream(), ""
	_, err := t.Talk.Ask(t.Context(), turn.Question{Text: text, Typed: text, Sentence: true}, turn.Events{
		Delta: func(d llm.Delta) error {
			line += mask.Write(d.Text)
			if end := strings.LastIndexByte(line, '\n'); end >= 0 {
				f.say(name, ":", line[:end])
				line = line[end+1:]
			}
			return nil
		},
	}, told)
	f.say(name, ":", line+mask.Flush())
	return err
}

// say writes a text, each line of it with the name.
func (f *lines) say(name, sign, text string) {
	if text == "" && sign != "." {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for line := range strings.SplitSeq(termsafe.Clean(text), "\n") {
		fmt.Fprintln(f.out, strings.TrimSpace(name+sign+" "+line))
	}
}

// fail says what went wrong, with the next step.
func (f *lines) fail(name string, err error) {
	text := llm.Sentence(err)
	if hinted := (interface{ Hint() string })(nil); errors.As(err, &hinted) && hinted.Hint() != "" {
		text += " (" + hinted.Hint() + ")"
	}
	f.say(name, "!", text)
}
