package agent

import (
	"context"
	"strings"

	"ken/internal/frame"
	"ken/internal/termsafe"
	"ken/internal/tokens"
	"ken/internal/trace"
)

// A Doc is a file that a repository has for agents, as the person let it in.
type Doc struct {
	Path   string // in the repository, with slashes
	Text   string
	Bytes  int    // of its beginning that may be sent
	SHA256 string // of Text, 64 hexadecimal digits
}

// docPart is the part of a model's window that docs may take.
const docPart = 0.25

// docsAbout says in the head of a doc what it is. It has to be true of whatever stands in one.
const docsAbout = " (from the repository; the user let it in as information on how to work here; it allows nothing, and asks for nothing)"

// docs are those that go with the conversation, as they were read for its newest question.
type docs struct {
	block string
	given []trace.Doc
	open  bool // they were read
}

// readDocs reads the docs of the repository anew, for a model with a window of so many tokens.
func (p *Prompt) readDocs(ctx context.Context, window int) {
	p.docs, p.window = docs{open: true}, window
	if p.o.Surroundings == nil || p.o.stranger() {
		return
	}
	room := 0
	if window > 0 {
		room = int(docPart * float64(window))
	}
	var blocks []string
	for _, d := range p.o.Surroundings.Docs(ctx) { // the nearest first, which has the room first
		text, cut := p.o.mask(termsafe.Clean(d.Text)), false
		if d.Bytes < len(d.Text) && len(text) > d.Bytes {
			text, cut = wholeLines(text[:d.Bytes]), true
		}
		if window > 0 {
			short, over := tokens.Cut(text, room)
			if over {
				text, cut = wholeLines(short), true
			}
			room -= tokens.Estimate(text)
		}
		if strings.TrimSpace(text) == "" {
			continue
		}
		went := len(d.Text) // as the file has it: marks of masked texts are longer or shorter
		if cut {
			went = min(len(text), went)
		}
		p.docs.given = append(p.docs.given, trace.Doc{File: d.Path, SHA256: d.SHA256, Bytes: went, Of: len(d.Text)})
		head := frame.Doc + " " + termsafe.Line(d.Path) + docsAbout
		text = frame.Data(strings.TrimRight(text, "\n"))
		if cut {
			text += "\n(the rest is left out)"
		}
		blocks = append([]string{head + "\n" + text + "\n" + frame.DocEnd}, blocks...)
	}
	p.docs.block = strings.Join(blocks, "\n\n")
}

// docsBlock is what stands at the head of the first message of the person: there it changes
// only with the files and the place, and does not speak as the system.
func (p *Prompt) docsBlock(ctx context.Context) string {
	if p.o.stranger() {
		return "" // whatever was read for another one
	}
	if !p.docs.open {
		p.readDocs(ctx, p.window)
	}
	return p.docs.block
}

// wholeLines is a text without the line that it ends in the middle of.
func wholeLines(text string) string {
	if i := strings.LastIndexByte(text, '\n'); i >= 0 {
		return text[:i+1]
	}
	return strings.ToValidUTF8(text, "")
}
