package talk

import (
	"errors"
	"io"

	"ken/internal/llm"
	"ken/internal/termsafe"
)

// A printer writes an answer as it streams in: cleaned, each piece as it comes,
// and at the end a line end if the answer had none.
type printer struct {
	w     io.Writer
	tell  func(string, ...any)
	hold  bool // print nothing: somebody else prints the whole
	clean *termsafe.Writer
	any   bool
	last  byte
}

func (p *printer) show(d llm.Delta) error {
	if p.hold {
		return nil
	}
	if d.Rethought && p.any {
		if err := p.end(); err != nil {
			return err
		}
		p.tell("the text above was the model thinking; its answer follows")
	}
	if d.Text == "" {
		return nil
	}
	if p.clean == nil {
		p.clean = termsafe.NewWriter(p.w)
	}
	p.any, p.last = true, d.Text[len(d.Text)-1]
	_, err := p.clean.WriteString(d.Text)
	return err
}

// end finishes the last line.
func (p *printer) end() error {
	if !p.any {
		return nil
	}
	err := p.clean.Flush()
	if p.last != '\n' {
		_, werr := io.WriteString(p.w, "\n")
		err = errors.Join(err, werr)
	}
	p.any = false
	return err
}
