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
	"slices"

	"ken/internal/jsonl"
	"ken/internal/memory"
	"ken/internal/regular"
)

// Beside the head file stands another one that may be deleted at any time. It has
// the sketches of each line that has some, in their order, and for each the offset of
// its line in the log, 8 bytes each, little endian, in blocks: 4096 sketches,
// the 4096 offsets that go with them, and so on. Only an append writes it, under
// the lock, before the head. The head says how many sketches count and what their
// checksum is, so they are believed just as far as the head is, and what stands
// behind them is nothing. The offsets of one sketch are right if they ascend and each is that of a
// line that has the sketch: there are as many of these as of the sketch.
//
// Versions that kept a sketch for the text of a line alone say in the head that they have
// "sketches", those that had no mark of what a text gives a value that lines are "sketched", and this one that they
// are "marked": none believes another.

// kept says which of the sketches in the file count.
type kept struct {
	N   int64  `json:"n"`
	Sum uint32 `json:"crc"` // CRC-32 of them
}

const (
	wordSize  = 8    // of a sketch, and of an offset
	blockSize = 4096 // sketches
)

// sketchAt is where sketch n stands in the file; its offset stands a block behind.
func sketchAt(n int64) int64 { return (n/blockSize*2*blockSize + n%blockSize) * wordSize }

// inBlock is how many of the left sketches from n on stand in one block.
func inBlock(n, left int64) int64 { return min(left, blockSize-n%blockSize) }

// drawn are sketches that were made by reading lines, for an append to write down.
type drawn struct {
	end      jsonl.Mark // of the lines
	sketches []byte     // as in the file
	offsets  []byte
}

func (d *drawn) add(sketches []uint64, offset int64) {
	for _, sketch := range sketches {
		d.sketches = binary.LittleEndian.AppendUint64(d.sketches, sketch)
		d.offsets = binary.LittleEndian.AppendUint64(d.offsets, uint64(offset))
	}
}

// seen is the set of the sketches that count, for a process that asks often.
type seen struct {
	kept
	asked bool // there was a question before
	set   map[uint64]struct{}
}

// sketching reports whether sketches are kept at all.
func (l *Log) sketching() bool { return l.o.Sketches != nil && l.o.Head != "" }

func (l *Log) sketchFile() string { return l.o.Head + "-sketches" }

// errUnsure says that the sketches are not what the head says of them.
var errUnsure = errors.New("the sketches cannot be believed")

// Lines yields the lines before at of whose sketches pick takes one, in their order,
// whatever became of them later; one of which it takes several may come as often. pick
// gets some sketches at a time and appends the places of those it takes. If
// sketches are not kept, or those there are cannot be believed, the log is
// read for it; then it may yield lines that pick did not see.
//
// The error is memory.ErrStale if at is no longer in the log, as far as it had to
// be read.
func (l *Log) Lines(
	ctx context.Context, at memory.Cursor, pick func(sketches []uint64, taken []int) []int,
) iter.Seq2[*memory.Record, error] {
	return l.look(ctx, at, pick, nil)
}

// LinesOf is Lines for some sketches. In a process that asks again and again it takes
// the same time whatever the length of the log.
func (l *Log) LinesOf(ctx context.Context, at memory.Cursor, of ...uint64) iter.Seq2[*memory.Record, error] {
	return l.look(ctx, at, func(sketches []uint64, taken []int) []int {
		for i, s := range sketches {
			if slices.Contains(of, s) {
				taken = append(taken, i)
			}
		}
		return taken
	}, of)
}

// look yields the lines that pick takes; only, if there are any, is all that it takes.
func (l *Log) look(
	ctx context.Context, at memory.Cursor, pick func([]uint64, []int) []int, only []uint64,
) iter.Seq2[*memory.Record, error] {
	return func(yield func(*memory.Record, error) bool) {
		err := l.seek(ctx, at, pick, only, func(r *memory.Record) bool { return yield(r, nil) })
		if err != nil {
			yield(nil, fmt.Errorf("look through %s: %w", l.path, err))
		}
	}
}

// seek gives yield the lines that pick takes. A line that was given when the sketches turned out
// to be wrong is given again.
func (l *Log) seek(
	ctx context.Context, at memory.Cursor, pick func([]uint64, []int) []int, only []uint64, yield func(*memory.Record) bool,
) error {
	if k := l.keptAt(at); k != nil {
		err := l.pickLines(*k, at, pick, only, yield)
		if !errors.Is(err, errUnsure) {
			return err
		}
	}
	r, err := l.open(at)
	if err != nil || r.f == nil {
		return err
	}
	defer r.close()
	return l.readLines(ctx, r, pick, yield)
}

// keptAt says which sketches are those of the lines before at; nil if none are. A
// position holds the sum of all that stands before it, so a head that has the same
// one is about the same lines, whatever happened to the file since.
func (l *Log) keptAt(at memory.Cursor) *kept {
	if !l.sketching() || at == "" {
		return nil
	}
	h := l.knownHead()
	if h.Kept == nil || cursor(h.Mark) != at {
		h = readHead(l.o.Head)
	}
	if cursor(h.Mark) != at {
		return nil
	}
	return h.Kept
}

// pickLines yields the lines whose sketches pick takes.
func (l *Log) pickLines(
	k kept, at memory.Cursor, pick func([]uint64, []int) []int, only []uint64, yield func(*memory.Record) bool,
) error {
	if len(only) > 0 {
		if has, err := l.has(k, only); err != nil || !has {
			return err
		}
	}
	f, found, err := l.picked(kept{}, k, pick)
	if f == nil {
		return err
	}
	defer f.Close()
	if err != nil || len(found) == 0 {
		return err
	}
	r, err := l.open(at)
	if err != nil {
		return err
	}
	defer r.close()
	type place struct{ sketch, offset uint64 }
	places := make([]place, len(found))
	next := make(map[uint64]uint64, len(only)) // by sketch: behind its last offset
	for i, n := range found {
		var sketch, offset [wordSize]byte
		_, err1 := f.ReadAt(sketch[:], sketchAt(n))
		_, err2 := f.ReadAt(offset[:], sketchAt(n)+blockSize*wordSize)
		if err1 != nil || err2 != nil {
			return errUnsure
		}
		p := place{binary.LittleEndian.Uint64(sketch[:]), binary.LittleEndian.Uint64(offset[:])}
		if p.offset < next[p.sketch] || p.offset >= uint64(r.at.Offset) {
			return errUnsure
		}
		places[i], next[p.sketch] = p, p.offset+1
	}
	for _, p := range places {
		rec, ok := r.recordAt(int64(p.offset))
		if !ok || !slices.Contains(l.o.Sketches(rec, nil), p.sketch) {
			return errUnsure
		}
		if !yield(rec) {
			return nil
		}
	}
	return nil
}

// has reports whether one of the sketches that count may be one of these. The first
// question in a process is not worth a set.
func (l *Log) has(k kept, of []uint64) (bool, error) {
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
		f, _, err := l.picked(s.kept, k, func(sketches []uint64, _ []int) []int {
			for _, sketch := range sketches {
				s.set[sketch] = struct{}{}
			}
			return nil
		})
		if f != nil {
			_ = f.Close() // it was only read
		}
		if err != nil {
			s.set = nil
			return false, err
		}
		s.kept = k
	}
	return slices.ContainsFunc(of, func(sketch uint64) bool {
		_, ok := s.set[sketch]
		return ok
	}), nil
}

// picked goes through the sketches that count now and did not before, and gives
// the places of those that pick takes, and the file; nil if it is not needed.
func (l *Log) picked(before, now kept, pick func([]uint64, []int) []int) (f *os.File, found []int64, err error) {
	if now.N == before.N {
		if now.Sum != before.Sum {
			return nil, nil, errUnsure
		}
		return nil, nil, nil
	}
	if f, err = regular.Open(l.sketchFile()); err != nil {
		return nil, nil, errUnsure
	}
	var (
		buf      [blockSize * wordSize]byte
		sketches [blockSize]uint64
		taken    []int
	)
	sum := before.Sum
	for n := before.N; n < now.N; {
		b := buf[:inBlock(n, now.N-n)*wordSize]
		if _, err := f.ReadAt(b, sketchAt(n)); err != nil {
			return f, nil, errUnsure
		}
		sum = crc32.Update(sum, crc32.IEEETable, b)
		count := len(b) / wordSize
		for i := range count {
			sketches[i] = binary.LittleEndian.Uint64(b[i*wordSize:])
		}
		taken = pick(sketches[:count], taken[:0])
		for _, i := range taken {
			found = append(found, n+int64(i))
		}
		n += int64(count)
	}
	if sum != now.Sum {
		return f, nil, errUnsure
	}
	return f, found, nil
}

// recordAt reads the line at an offset that is in the file.
func (r *reader) recordAt(offset int64) (*memory.Record, bool) {
	in := bufio.NewReader(io.NewSectionReader(r.f, offset, memory.MaxLine+1))
	line, err := in.ReadBytes('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, false
	}
	e := r.parser.Line(bytes.TrimSuffix(line, []byte("\n")))
	bare(e.Record, r.name)
	return e.Record, e.Bad == nil && e.Meta == nil
}

// readLines does without entries, and draws the sketches of all lines on the way.
func (l *Log) readLines(ctx context.Context, r *reader, pick func([]uint64, []int) []int, yield func(*memory.Record) bool) error {
	d := drawn{end: r.at}
	more := true
	var sketches []uint64
	for line, err := range jsonl.Lines(io.NewSectionReader(r.f, 0, d.end.Offset), memory.MaxLine) {
		if err == nil && line.Number%1024 == 0 {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		if line.Bytes == nil {
			continue
		}
		rec := r.parser.Line(line.Bytes).Record // the zero one of what is no record
		bare(rec, r.name)
		if l.sketching() {
			sketches = l.o.Sketches(rec, sketches[:0])
			d.add(sketches, line.Offset)
			more = more && (len(sketches) == 0 || len(pick(sketches, nil)) == 0 || yield(rec))
		} else if !yield(rec) {
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

// keepSketches writes down the sketches of the lines of data, which was
// appended at offset to what r has read, and says what is kept now; nil if that is
// not known. Like the head the file is derived: its errors only make it useless.
func (l *Log) keepSketches(r *reader, data []byte, offset int64) *kept {
	if !l.sketching() {
		return nil
	}
	l.mu.Lock()
	d := l.drawn
	l.drawn = nil
	l.mu.Unlock()
	var was kept
	switch k := l.keptAt(cursor(r.at)); {
	case k != nil:
		was, d = *k, &drawn{}
	case r.at.Offset == 0:
		d = &drawn{}
	case d == nil || d.end != r.at:
		return nil
	}
	var sketches []uint64
	for line := range bytes.Lines(data) { // as they will be read, not as they were meant
		rec := r.parser.Line(bytes.TrimSuffix(line, []byte("\n"))).Record
		bare(rec, r.name)
		sketches = l.o.Sketches(rec, sketches[:0])
		d.add(sketches, offset)
		offset += int64(len(line))
	}
	if l.writeSketches(was.N, d) != nil {
		return nil
	}
	now := kept{N: was.N + int64(len(d.sketches)/wordSize), Sum: crc32.Update(was.Sum, crc32.IEEETable, d.sketches)}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.seen.set != nil && l.seen.kept == was {
		l.seen.kept = now
		for b := d.sketches; len(b) > 0; b = b[wordSize:] {
			l.seen.set[binary.LittleEndian.Uint64(b)] = struct{}{}
		}
	}
	return &now
}

// writeSketches writes those of d as the ones from n on.
func (l *Log) writeSketches(n int64, d *drawn) error {
	if len(d.sketches) == 0 {
		return nil
	}
	f, err := openDerived(l.sketchFile())
	if err != nil {
		return err
	}
	sketches, offsets := d.sketches, d.offsets
	for err == nil && len(sketches) > 0 {
		size := inBlock(n, int64(len(sketches)/wordSize)) * wordSize
		if _, err = f.WriteAt(sketches[:size], sketchAt(n)); err == nil {
			_, err = f.WriteAt(offsets[:size], sketchAt(n)+blockSize*wordSize)
		}
		n += size / wordSize
		sketches, offsets = sketches[size:], offsets[size:]
	}
	return errors.Join(err, f.Close())
}

// dropSketches removes the file, since some of the lines are to be erased.
func (l *Log) dropSketches() {
	if l.sketching() {
		_ = os.Remove(l.sketchFile()) // it counts for nothing once the log has changed
	}
}
