package chat

import (
	"context"
	"errors"
	"io"

	"ken/internal/agent"
	"ken/internal/cli/term"
	"ken/internal/llm"
	"ken/internal/markdown"
	"ken/internal/repl"
	"ken/internal/termsafe"
)

// A printer shows an answer as it streams in, and before that, where a person
// looks, that it is waited for. On a terminal markdown is laid out; elsewhere the
// answer is printed as it came, but for what a terminal might act on.
type printer struct {
	a    *term.Run
	hold bool // print nothing: somebody else prints the whole
	out  output
	keys passed        // between the answer and out
	any  bool          // something of the answer was printed
	wait *repl.Waiting // nil where nobody waits
	name string        // of the model that is waited for
}

// A passed stream masks the keys in what goes through it.
type passed interface {
	Write(piece string) string
	Flush() string
}

// An output is how the text of an answer gets to standard output.
type output interface {
	io.StringWriter
	// Flush ends the text, and its last line.
	Flush() error
	// Interrupt ends the line on the screen, so that something else can be printed.
	Interrupt() error
}

// begin begins an answer of the model called name. What is said until its end stands on
// lines of its own.
func (p *printer) begin(name string) {
	if p.hold {
		return
	}
	a := p.a
	p.keys = a.Home.Keys.Stream()
	if styled, ok := a.Screen.Markdown(); ok {
		p.out = markdown.New(a.Env.Stdout, markdown.Options{
			Styled: styled, Theme: a.Screen.Theme(), Unicode: a.Screen.Unicode(), Width: a.Screen.Width,
		})
	} else {
		p.out = &asIs{w: a.Env.Stdout, clean: termsafe.NewWriter(a.Env.Stdout)}
	}
	if !a.Screen.Watched() {
		return
	}
	p.name = name
	p.waits()
	a.Interject(func(say func()) {
		p.wait.Around(func() {
			if p.out.Interrupt() == nil { // else the next write reports it
				say()
			}
		})
	})
}

// waits begins to say that the answer is waited for.
func (p *printer) waits() {
	a := p.a
	switch look := (repl.Look{Unicode: a.Screen.Unicode(), Width: a.Screen.Width()}); {
	case a.Quiet():
	case p.wait == nil:
		p.wait = repl.Wait(a.Env.Stderr, a.Env.Now, look, p.name)
	default:
		p.wait.Again(look, p.name)
	}
}

// asks is fits, asked while nothing is drawn: the server may have refused what was waited for.
func (p *printer) asks(fits func(context.Context, agent.Size) (bool, error)) func(context.Context, agent.Size) (bool, error) {
	return func(ctx context.Context, size agent.Size) (whole bool, err error) {
		drawn := p.wait != nil
		p.wait.Stop()
		whole, err = fits(ctx, size)
		if drawn && err == nil {
			p.waits()
		}
		return whole, err
	}
}

// show takes the next piece of the answer.
func (p *printer) show(d llm.Delta) error {
	if p.hold {
		return nil
	}
	if d.Reasoning != "" {
		p.wait.Think()
	}
	if d.Rethought && p.any {
		if err := p.finish(); err != nil {
			return err
		}
		p.a.Status("the text above was the model thinking; its answer follows")
	}
	if d.Call != "" && p.name != "" {
		if p.any { // the text before it is over
			if err := p.finish(); err != nil {
				return err
			}
			p.waits()
		}
		p.wait.Calls(p.a.Home.Keys.MaskText(d.Call))
	}
	if d.Text == "" {
		return nil
	}
	p.wait.Stop()
	p.any = true
	_, err := p.out.WriteString(p.keys.Write(d.Text))
	return err
}

// finish shows the rest of what came.
func (p *printer) finish() error {
	p.any = false
	_, err := p.out.WriteString(p.keys.Flush())
	return errors.Join(err, p.out.Flush())
}

// over ends what end would have ended, had it been called: it is deferred where a printer begins.
func (p *printer) over() {
	p.wait.Stop()
	p.a.Interject(nil)
}

// end ends the answer: its last line is finished, and nobody waits any more.
func (p *printer) end() error {
	if p.hold {
		return nil
	}
	p.over()
	if !p.any {
		return nil
	}
	return p.finish()
}

// asIs prints text cleaned and otherwise as it comes.
type asIs struct {
	w     io.Writer
	clean *termsafe.Writer
	open  bool // the last line has no end
}

// WriteString implements io.StringWriter.
func (o *asIs) WriteString(s string) (int, error) {
	if s != "" {
		o.open = s[len(s)-1] != '\n'
	}
	return o.clean.WriteString(s)
}

// Flush implements output.
func (o *asIs) Flush() error { return errors.Join(o.clean.Flush(), o.Interrupt()) }

// Interrupt implements output.
func (o *asIs) Interrupt() error {
	if !o.open {
		return nil
	}
	o.open = false
	_, err := io.WriteString(o.w, "\n")
	return err
}
