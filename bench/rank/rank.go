package rank

import (
	"context"
	"io"
	"time"
)

// Options say what is measured.
type Options struct {
	Data  string           // a directory with turns.jsonl and questions.jsonl
	Ken   string           // the program
	Dir   string           // an empty directory for its data
	Clock func() time.Time // the real one
}

// Run measures, and writes the tables to out.
func Run(ctx context.Context, out io.Writer, o Options) error {
	d, err := load(o.Data)
	if err != nil {
		return err
	}
	p, err := newProgram(ctx, d, o)
	if err != nil {
		return err
	}
	var b tables
	b.say("%d turns of %d conversations, %d questions, through the program\n\n", len(d.turns), len(d.convs), len(d.questions))
	for _, pooled := range []bool{false, true} {
		find, err := p.ask(ctx, d, pooled)
		if err != nil {
			return err
		}
		where := "each in its own conversation"
		if pooled {
			where = "all conversations searched at once"
		}
		each := time.Duration(len(d.questions))
		b.say("%s; %v wall, %v CPU a question, start included\n", where, p.wall/each, p.cpu/each)
		d.table(&b, find, pooled)
	}
	beside, err := d.besideOf(ctx, &b, o.Dir)
	if err != nil {
		return err
	}
	if beside != nil {
		find, err := d.findBeside(ctx, beside)
		if err != nil {
			return err
		}
		b.say("sqlite3 FTS5 (porter, any of the words, bm25), each in its own conversation\n")
		d.table(&b, find, false)
	}
	if err := d.knownTable(ctx, &b, p, beside); err != nil {
		return err
	}
	l, err := newLibrary(d)
	if err != nil {
		return err
	}
	other, own := d.silence(l.find(ctx, nil))
	b.say("nothing found: %.1f %% of questions asked of another conversation, %.1f %% of their own\n\n", 100*other, 100*own)
	b.say("what is lost without a part, each in its own conversation\n")
	d.ablation(ctx, &b, l)
	if err := ctx.Err(); err != nil {
		return err
	}
	_, err = io.WriteString(out, b.text.String())
	return err
}
