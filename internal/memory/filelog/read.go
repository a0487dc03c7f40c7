package filelog

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"

	"ken/internal/jsonl"
	"ken/internal/memory"
	"ken/internal/regular"
)

// Records implements memory.Log. It takes no lock, except for a moment when the
// last line looks like an append in progress.
func (l *Log) Records(ctx context.Context, after memory.Cursor) iter.Seq2[memory.Placed, error] {
	return func(yield func(memory.Placed, error) bool) {
		r, err := l.open(after)
		if err != nil {
			yield(memory.Placed{}, fmt.Errorf("read %s: %w", l.path, err))
			return
		}
		defer r.close()
		for e, err := range r.entries(ctx) {
			switch {
			case err != nil:
				err = fmt.Errorf("read %s: %w", l.path, err)
			case e.Bad != nil:
				err = e.Bad
			}
			if !yield(memory.Placed{Entry: e, At: cursor(r.at)}, err) {
				return
			}
		}
	}
}

// A reader is one look at the file, from a position on.
type reader struct {
	log    *Log
	parser *memory.Parser
	f      *os.File    // nil if there is no file
	stat   fs.FileInfo // when it was opened; nil if there is no file
	stamp  jsonl.Stamp // of stat
	head   head        // the head file if it fits the stamp, else zero
	name   string      // of the log, from its meta line; "" if it has none
	locked bool        // nobody appends while the reader reads

	at    jsonl.Mark // behind the last line read
	maxID int64      // the largest number named before at; 0 if unknown
	sure  bool       // maxID is known
}

// open opens the file at the position after.
func (l *Log) open(after memory.Cursor) (*reader, error) {
	from, err := mark(after)
	if err != nil {
		return nil, err
	}
	r := &reader{log: l, parser: memory.NewParser(), at: from, sure: from.Offset == 0}
	r.f, err = regular.Open(l.path)
	if errors.Is(err, fs.ErrNotExist) {
		if from != (jsonl.Mark{}) {
			return nil, memory.ErrStale
		}
		return r, nil
	}
	if err == nil {
		err = r.begin(from)
	}
	if err != nil {
		r.close()
		return nil, err
	}
	return r, nil
}

// begin looks at the file that was opened and checks that from is in it.
func (r *reader) begin(from jsonl.Mark) error {
	var err error
	if r.stat, err = r.f.Stat(); err != nil {
		return err
	}
	if r.stat.Size() < from.Offset {
		return memory.ErrStale
	}
	if r.name, err = metaName(r.f); err != nil {
		return err
	}
	known := r.log.knownHead()
	if s, ok := jsonl.StampOf(r.stat); ok {
		r.stamp = s
		r.head = readHead(r.log.o.Head)
		if known.fits(s) {
			r.head = known
		}
		if !r.head.fits(s) {
			r.head = head{}
		}
	}
	if from == known.Mark && from.Offset > 0 {
		r.maxID, r.sure = known.MaxID, known.Sure
	}
	if from == r.head.Mark && from.Offset > 0 || from.Offset == 0 {
		if from.Offset > 0 {
			r.maxID, r.sure = r.head.MaxID, r.head.Sure
		}
		return nil
	}
	if from == known.Mark && known.Chain != 0 && known.Chain == r.head.Chain {
		return nil // only appends lie between
	}
	ok, err := from.Holds(r.f)
	if err == nil && !ok {
		err = memory.ErrStale
	}
	return err
}

func (r *reader) close() {
	if r.f != nil {
		_ = r.f.Close() // it was only read
	}
}

// metaSize is how far into a file its meta line may reach.
const metaSize = 4 << 10

// metaName returns the log's name from its meta line, which is the first line
// that is not blank; "" if there is none.
func metaName(f io.ReaderAt) (string, error) {
	buf := make([]byte, metaSize)
	n, err := f.ReadAt(buf, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return "", err
	}
	rest := bytes.TrimPrefix(buf[:n], []byte("\ufeff"))
	for len(rest) > 0 {
		var line []byte
		line, rest, _ = bytes.Cut(rest, []byte("\n"))
		e := memory.ParseLine(line)
		if e.Meta != nil {
			return e.Meta.Log, nil
		}
		if !blank(e) {
			break
		}
	}
	return "", nil
}

// blank reports whether e is what memory.ParseLine makes of a blank line.
func blank(e memory.Entry) bool { return e.Record.Kind == "" && e.Meta == nil && e.Bad == nil }

// entries yields the lines from r.at to the end of the file; r.at is then behind each. At the end, what
// is known of the file is kept for the next reader.
func (r *reader) entries(ctx context.Context) iter.Seq2[memory.Entry, error] {
	return func(yield func(memory.Entry, error) bool) {
		if r.f == nil {
			r.log.know(head{})
			return
		}
		size := r.stat.Size()
		for {
			torn, err := r.part(ctx, size, yield)
			if err != nil {
				if !errors.Is(err, errStopped) {
					yield(memory.Entry{}, err)
				}
				return
			}
			if !torn {
				break
			}
			if size, err = r.settledSize(ctx, size); err != nil {
				yield(memory.Entry{}, err)
				return
			}
		}
		r.keep()
	}
}

// errStopped says that the consumer wants no more.
var errStopped = errors.New("stopped")

// part yields the lines from r.at up to size. It reports torn, and stops before
// that line, if the last line has no end, cannot be read, and may be an append
// in progress.
func (r *reader) part(ctx context.Context, size int64, yield func(memory.Entry, error) bool) (torn bool, err error) {
	from := r.at
	section := io.NewSectionReader(r.f, from.Offset, size-from.Offset)
	n := 0
	for line, err := range jsonl.LinesFrom(section, from, memory.MaxLine) {
		if err == nil && n%1024 == 0 {
			err = ctx.Err()
		}
		n++
		if err != nil {
			return false, err
		}
		e := r.entry(line)
		if e.Bad != nil && e.Bad.Torn && !r.locked {
			return true, nil
		}
		r.at = line.End
		if blank(e) {
			continue
		}
		r.maxID = max(r.maxID, e.MaxID())
		if !yield(e, nil) {
			return false, errStopped
		}
	}
	if r.at.Open {
		// A line end alone may follow the last line that was read before.
		if section.Size() > 0 && r.at == from {
			r.at = from.Add(nil)
		}
	}
	return false, nil
}

// entry says what line is.
func (r *reader) entry(line jsonl.Line) memory.Entry {
	text := line.Bytes
	if text == nil {
		text = r.beginning(line)
	}
	e := r.parser.Line(text)
	e.Line = line.Number
	bare(e.Record, r.name)
	if line.Bytes == nil {
		// What was parsed is the beginning; if that could be read by itself it
		// is unreadable all the same.
		e = memory.Entry{Line: e.Line, Record: new(memory.Record), Sum: e.Sum, Bad: &memory.LineError{
			MaxID: e.MaxID(),
			Cause: fmt.Errorf("%d bytes, more than the %d that a line may have", line.Len, memory.MaxLine),
		}}
	}
	if e.Bad != nil {
		e.Bad.Log, e.Bad.Line, e.Bad.Offset, e.Bad.Len = r.name, line.Number, line.Offset, line.Len
		e.Bad.Torn = !line.Ended
	}
	return e
}

// beginning reads as much of a line that is too long as a line may have.
func (r *reader) beginning(line jsonl.Line) []byte {
	b := make([]byte, memory.MaxLine)
	n, _ := r.f.ReadAt(b, line.Offset) // what cannot be read names no number
	return b[:n]
}

// bare takes the log's own name off the references on one of its lines: what
// stands in a log as "laptop-7f3a/3" is the line 3, and its number is spent.
func bare(rec *memory.Record, own string) {
	if own == "" {
		return
	}
	rec.ID, rec.Target = rec.ID.From(own), rec.Target.From(own)
	d := rec.Detail
	if d == nil {
		return
	}
	d.After = d.After.From(own)
	for _, list := range [][]memory.ID{d.Targets, d.Supersedes, d.Cites} {
		for i := range list {
			list[i] = list[i].From(own)
		}
	}
}

// settledSize waits until no append is in progress and returns the size up to
// which the file can be read. A directory whose lock cannot be had, because it
// is not ours to write to or because somebody holds it for ever, gets no
// appends from us either: then the file is taken as it is.
func (r *reader) settledSize(ctx context.Context, size int64) (int64, error) {
	r.locked = true
	if !r.log.o.ReadOnly {
		unlock, err := r.log.lock(ctx, "read the end of")
		if err == nil {
			defer unlock()
		} else if ctx.Err() != nil {
			return size, ctx.Err()
		}
	}
	fi, err := r.f.Stat()
	if err != nil {
		return size, err
	}
	r.stat = fi
	return fi.Size(), nil
}

// keep remembers what the reader found for the next one, after a read to the
// end.
func (r *reader) keep() {
	k := head{Mark: r.at, MaxID: r.maxID, Sure: r.sure}
	if r.head.Mark == r.at && r.at.Offset > 0 {
		k = r.head
	}
	r.log.know(k)
}
