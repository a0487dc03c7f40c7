package filelog

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"iter"
	"os"

	"ken/internal/jsonl"
	"ken/internal/memory"
)

// Beside the head file stands another one that may be deleted at any time: for
// each line that has a text, in their order, its sketch and its offset, 8 bytes
// each, little endian. Only an append writes it, under the lock, before the head.
// The head says how many of the entries count and what their checksum is, so they
// are believed just as far as the head is, and what stands behind them is nothing.

// kept says which entries of the file of sketches count.
type kept struct {
	N   int64  `json:"n"`
	Sum uint32 `json:"crc"` // CRC-32 of them
}

// entrySize is the size of a sketch and an offset.
const entrySize = 16

// drawn are sketches that were made by reading lines, for an append to write down.
type drawn struct {
	end     jsonl.Mark // of the lines
	entries []byte     // as in the file
}

func (d *drawn) add(sketch uint64, offset int64) {
	d.entries = binary.LittleEndian.AppendUint64(d.entries, sketch)
	d.entries = binary.LittleEndian.AppendUint64(d.entries, uint64(offset))
}

// seen is the set of the sketches that count, for a process that asks often.
type seen struct {
	kept
	asked bool // there was a question before
	set   map[uint64]struct{}
}

// sketching reports whether sketches are kept at all.
func (l *Log) sketching() bool { return l.o.Sketch != nil && l.o.Head != "" }

func (l *Log) sketchFile() string { return l.o.Head + "-sketches" }

// errUnsure says that the sketches are not what the head says of them.
var errUnsure = errors.New("the sketches cannot be believed")

// Texts yields the contents of the lines before at whose sketches pick takes, in
// their order: of stating lines and of edits, whatever became of them later. If
// sketches are not kept, or those there are cannot be believed, the lines are
// read for it; then it may yield contents that pick did not see.
//
// The error is memory.ErrStale if at is no longer in the log.
func (l *Log) Texts(ctx context.Context, at memory.Cursor, pick func(sketch uint64) bool) iter.Seq2[string, error] {
	return l.look(ctx, at, pick, nil)
}

// TextsOf is Texts for one sketch. In a process that asks again and again it takes
// the same time whatever the length of the log.
func (l *Log) TextsOf(ctx context.Context, at memory.Cursor, sketch uint64) iter.Seq2[string, error] {
	return l.look(ctx, at, func(s uint64) bool { return s == sketch }, &sketch)
}

// look yields the contents that pick takes; only, if not nil, is all that it takes.
func (l *Log) look(ctx context.Context, at memory.Cursor, pick func(uint64) bool, only *uint64) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		err := l.texts(ctx, at, pick, only, func(s string) bool { return yield(s, nil) })
		if err != nil {
			yield("", fmt.Errorf("look through %s: %w", l.path, err))
		}
	}
}

func (l *Log) texts(ctx context.Context, at memory.Cursor, pick func(uint64) bool, only *uint64, yield func(string) bool) error {
	r, err := l.open(at)
	if err != nil || r.f == nil {
		return err
	}
	defer r.close()
	if k := r.head.Kept; k != nil && l.sketching() && cursor(r.head.Mark) == at {
		err := l.pickTexts(r, *k, pick, only, yield)
		if !errors.Is(err, errUnsure) {
			return err
		}
	}
	return l.readTexts(ctx, r, pick, yield)
}

// pickTexts yields the contents of the lines whose entries pick takes.
func (l *Log) pickTexts(r *reader, k kept, pick func(uint64) bool, only *uint64, yield func(string) bool) error {
	if only != nil {
		if has, err := l.has(k, *only); err != nil || !has {
			return err
		}
	}
	var found drawn
	err := l.eachEntry(kept{}, k, func(sketch uint64, offset int64) {
		if pick(sketch) {
			found.add(sketch, offset)
		}
	})
	if err != nil {
		return err
	}
	for b := found.entries; len(b) > 0; b = b[entrySize:] {
		content, ok := r.contentAt(int64(binary.LittleEndian.Uint64(b[8:])))
		if !ok || l.o.Sketch(content) != binary.LittleEndian.Uint64(b) {
			return errUnsure
		}
		if !yield(content) {
			return nil
		}
	}
	return nil
}

// has reports whether one of the sketches that count may be sketch. The first
// question in a process is not worth a set.
func (l *Log) has(k kept, sketch uint64) (bool, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := &l.seen
	if !s.asked {
		s.asked = true
		return true, nil
	}
	if s.set == nil || k.N < s.N {
		s.kept, s.set = kept{}, make(map[uint64]struct{}, k.N)
	}
	if k != s.kept {
		if err := l.eachEntry(s.kept, k, func(sketch uint64, _ int64) { s.set[sketch] = struct{}{} }); err != nil {
			s.set = nil
			return false, err
		}
		s.kept = k
	}
	_, ok := s.set[sketch]
	return ok, nil
}

// eachEntry reads the entries that count now and did not before.
func (l *Log) eachEntry(before, now kept, take func(sketch uint64, offset int64)) error {
	if now.N == before.N {
		if now.Sum != before.Sum {
			return errUnsure
		}
		return nil
	}
	if jsonl.Regular(l.sketchFile()) != nil {
		return errUnsure
	}
	f, err := os.Open(l.sketchFile())
	if err != nil {
		return errUnsure
	}
	defer f.Close()
	in := io.NewSectionReader(f, before.N*entrySize, (now.N-before.N)*entrySize)
	buf := make([]byte, min(in.Size(), 64<<10)) // whole entries
	sum := before.Sum
	for left := in.Size(); left > 0; left -= int64(len(buf)) {
		buf = buf[:min(int64(len(buf)), left)]
		if _, err := io.ReadFull(in, buf); err != nil {
			return errUnsure
		}
		sum = crc32.Update(sum, crc32.IEEETable, buf)
		for b := buf; len(b) > 0; b = b[entrySize:] {
			take(binary.LittleEndian.Uint64(b), int64(binary.LittleEndian.Uint64(b[8:])))
		}
	}
	if sum != now.Sum {
		return errUnsure
	}
	return nil
}

// contentAt reads what the line at offset says.
func (r *reader) contentAt(offset int64) (string, bool) {
	if offset < 0 || offset >= r.stat.Size() {
		return "", false
	}
	in := bufio.NewReader(io.NewSectionReader(r.f, offset, memory.MaxLine+1))
	line, err := in.ReadBytes('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", false
	}
	e := r.parser.Line(bytes.TrimSuffix(line, []byte("\n")))
	return e.Record.Content, e.Bad == nil && e.Record.Content != ""
}

// readTexts does without entries, and draws the sketches of all lines on the way.
func (l *Log) readTexts(ctx context.Context, r *reader, pick func(uint64) bool, yield func(string) bool) error {
	d := drawn{end: r.at}
	more := true
	for line, err := range jsonl.Lines(io.NewSectionReader(r.f, 0, d.end.Offset), memory.MaxLine) {
		if err == nil && line.Number%1024 == 0 {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		content := ""
		if line.Bytes != nil {
			content = r.parser.Line(line.Bytes).Record.Content
		}
		switch {
		case content == "":
		case l.sketching():
			s := l.o.Sketch(content)
			d.add(s, line.Offset)
			more = more && (!pick(s) || yield(content))
		case !yield(content):
			return nil
		}
	}
	if l.sketching() {
		l.mu.Lock()
		l.drawn = &d
		l.mu.Unlock()
	}
	return nil
}

// keepSketches writes down the sketches of recs, the last lines of data, which was
// appended at offset to what r has read, and says what is kept now; nil if that is
// not known. Like the head the file is derived: its errors only make it useless.
func (l *Log) keepSketches(r *reader, data []byte, recs []memory.Record, offset int64) *kept {
	if !l.sketching() {
		return nil
	}
	l.mu.Lock()
	d := l.drawn
	l.drawn = nil
	l.mu.Unlock()
	var was kept
	switch {
	case r.head.Kept != nil:
		was, d = *r.head.Kept, &drawn{}
	case r.at.Offset == 0:
		d = &drawn{}
	case d == nil || d.end != r.at:
		return nil
	}
	lines := bytes.SplitAfter(bytes.TrimSuffix(data, []byte("\n")), []byte("\n"))
	for i, line := range lines {
		if n := i - (len(lines) - len(recs)); n >= 0 && recs[n].Content != "" {
			d.add(l.o.Sketch(recs[n].Content), offset)
		}
		offset += int64(len(line))
	}
	if len(d.entries) > 0 && writeAt(l.sketchFile(), d.entries, was.N*entrySize) != nil {
		return nil
	}
	return &kept{N: was.N + int64(len(d.entries)/entrySize), Sum: crc32.Update(was.Sum, crc32.IEEETable, d.entries)}
}

// writeAt writes data into a derived file.
func writeAt(path string, data []byte, offset int64) error {
	if err := jsonl.Regular(path); err != nil {
		return err
	}
	f, err := openDerived(path)
	if err != nil {
		return err
	}
	_, err = f.WriteAt(data, offset)
	return errors.Join(err, f.Close())
}

// dropSketches removes the file, since some of the lines are to be erased.
func (l *Log) dropSketches() {
	if l.sketching() {
		_ = os.Remove(l.sketchFile()) // it counts for nothing once the log has changed
	}
}
