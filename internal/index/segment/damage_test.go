package segment

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"ken/internal/index"
	"ken/internal/index/indextest"
)

func full() bool { return os.Getenv("KEN_BATTERY") == "full" }

// A sound segment is one whose answers are known.
type sound struct {
	docs  []index.Document
	data  []byte
	want  *index.Corpus
	terms []index.Term
	lists [][]index.Posting // of terms
	meta  string
}

func soundOne(t testing.TB, n int) *sound {
	t.Helper()
	s := &sound{docs: indextest.Documents(n, 7), meta: "what the owner keeps"}
	path := filepath.Join(t.TempDir(), "sound")
	build(t, path, []byte(s.meta), s.docs...)
	var err error
	if s.data, err = os.ReadFile(path); err != nil {
		t.Fatal(err)
	}
	s.want, s.terms = index.NewScan(slices.Values(s.docs)), allTerms(s.docs)
	for _, term := range s.terms {
		list, _ := s.want.AppendPostings(nil, term)
		s.lists = append(s.lists, list)
	}
	return s
}

// answers opens data as a segment and asks it everything, or every step-th term.
// It fails unless each answer is right or says that the file is damaged; it returns
// whether all were right.
func (s *sound) answers(t T, data []byte, step int) (whole bool) {
	t.Helper()
	whole = true
	fine := func(err error) bool {
		t.Helper()
		if err == nil {
			return true
		}
		if !errors.Is(err, ErrCorrupt) && !errors.Is(err, ErrVersion) {
			t.Fatalf("an error that does not say what to do: %v", err)
		}
		whole = false
		return false
	}
	seg := &Segment{path: "x", data: slices.Clip(data)}
	if len(data) < headerSize+footerSize || !fine(seg.use(seg.begin)) {
		return false
	}
	if seg.docs != len(s.docs) {
		t.Fatalf("%d documents, want %d", seg.docs, len(s.docs))
	}
	if meta, err := seg.Meta(); fine(err) && string(meta) != s.meta {
		t.Fatalf("meta %q, want %q", meta, s.meta)
	}
	n := 0
	for l, err := range seg.Locators() {
		if fine(err) {
			if want := locator(&s.docs[n], n); l.Ref != want.Ref || !slices.Equal(l.Lines, want.Lines) {
				t.Fatalf("document %d: %+v, want %+v", n, l, want)
			}
		}
		n++
	}
	c, err := seg.Corpus(nil, nil)
	if fine(err) {
		for doc := range int32(c.Rows.Len()) { // each that can be read is right, and a fault is reported
			if row := *c.Rows.At(doc); c.Rows.Err() == nil && row != *s.want.Rows.At(doc) {
				t.Fatalf("row %d is wrong: %+v", doc, row)
			}
		}
		turns := c.Rows.Turns()
		if fine(c.Rows.Err()) && (turns != s.want.Rows.Turns() || !slices.Equal(c.Names, s.want.Names)) {
			t.Fatal("turns or names are wrong")
		}
	}
	r := &reader{s: seg}
	var list []index.Posting
	for i := 0; i < len(s.terms); i += step {
		list, err = r.AppendPostings(list[:0], s.terms[i])
		if fine(err) && !slices.Equal(list, s.lists[i]) {
			t.Fatalf("%+v: %v, want %v", s.terms[i], list, s.lists[i])
		}
	}
	return whole
}

// TestF11BitFlips: a file in which one bit is another one gives right answers or
// none, whichever bit it is. All of them together cover the file, so none of the
// flips may go by unseen.
//
//ken:unraced
func TestF11BitFlips(t *testing.T) {
	t.Parallel()
	s := soundOne(t, 40)
	if !s.answers(t, s.data, 1) {
		t.Fatal("what is sound is called damaged")
	}
	flips, r := 300, rand.New(rand.NewPCG(1, 11))
	if full() {
		flips = 10_000
	}
	seen := 0
	for range flips {
		bit := r.IntN(8 * len(s.data))
		data := slices.Clone(s.data)
		data[bit/8] ^= 1 << (bit % 8)
		if s.answers(t, data, 1) {
			t.Fatalf("bit %d of byte %d was not missed", bit%8, bit/8)
		}
		seen++
	}
	t.Logf("%d of %d flips seen, no wrong answer", seen, flips)
}

// TestF11Pages: a file that lacks what comes after a page, or has one page for
// another or of zeros, or garbage, gives right answers or none.
//
//ken:unraced
func TestF11Pages(t *testing.T) {
	t.Parallel()
	s := soundOne(t, 1500)
	r := rand.New(rand.NewPCG(2, 11))
	cases := 0
	for from := 0; from < len(s.data); from += pageSize {
		to := min(from+pageSize, len(s.data))
		for name, data := range map[string][]byte{
			"cut":     s.data[:from],
			"cut off": s.data[:to-1],
			"taken":   slices.Concat(s.data[:from], s.data[to:]),
			"zero":    slices.Concat(s.data[:from], make([]byte, to-from), s.data[to:]),
			"other":   slices.Concat(s.data[:from], s.data[:to-from], s.data[to:]),
			"ones":    slices.Concat(s.data[:from], []byte(strings.Repeat("\xff", to-from)), s.data[to:]),
		} {
			if slices.Equal(data, s.data) {
				continue
			}
			cases++
			if s.answers(t, data, 1+r.IntN(50)) && len(data) != len(s.data) {
				t.Fatalf("page %d %s: nothing was noticed", from/pageSize, name)
			}
		}
	}
	t.Logf("%d files, no wrong answer", cases)
}

// TestF11Files: what stands at the path and is no segment of this version.
func TestF11Files(t *testing.T) {
	t.Parallel()
	s := soundOne(t, 10)
	dir := t.TempDir()
	changed := func(change func(b []byte) []byte) []byte { return change(slices.Clone(s.data)) }
	for name, c := range map[string]struct {
		data []byte
		want error
	}{
		"empty":    {nil, ErrCorrupt},
		"short":    {s.data[:20], ErrCorrupt},
		"tail":     {s.data[20:], ErrCorrupt},
		"longer":   {slices.Concat(s.data, []byte("x")), ErrCorrupt},
		"twice":    {slices.Concat(s.data, s.data), ErrCorrupt},
		"text":     {[]byte(strings.Repeat(`{"id":1,"content":"tea"}`+"\n", 100)), ErrCorrupt},
		"zeros":    {make([]byte, len(s.data)), ErrCorrupt},
		"newer":    {changed(func(b []byte) []byte { b[len(magic)]++; return b }), ErrVersion},
		"reading":  {changed(func(b []byte) []byte { b[len(magic)+4]++; return b }), ErrVersion},
		"big end":  {changed(func(b []byte) []byte { slices.Reverse(b[len(magic) : len(magic)+4]); return b }), ErrVersion},
		"sections": {changed(func(b []byte) []byte { f := b[len(b)-footerSize:]; copy(f[:8], f[8:16]); return b }), ErrCorrupt},
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, c.data, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(path); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
	if _, err := Open(dir); !errors.Is(err, ErrCorrupt) {
		t.Errorf("a directory: %v", err)
	}
	if _, err := Open(filepath.Join(dir, "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("nothing: %v", err)
	}
}

// TestF11CutWhileOpen: a file that is cut short while it is mapped is damaged, and
// that is all.
func TestF11CutWhileOpen(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("nothing is mapped there")
	}
	s := soundOne(t, 1500)
	path := filepath.Join(t.TempDir(), "a")
	if err := os.WriteFile(path, s.data, 0o600); err != nil {
		t.Fatal(err)
	}
	seg := open(t, path)
	defer seg.Close()
	if _, err := seg.Corpus(nil, nil); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 2*pageSize); err != nil {
		t.Fatal(err)
	}
	failed := 0
	for i, term := range s.terms {
		list, err := (&reader{s: seg}).AppendPostings(nil, term)
		switch {
		case errors.Is(err, ErrCorrupt):
			failed++
		case err != nil || !slices.Equal(list, s.lists[i]):
			t.Fatalf("%+v: %v, %v", term, list, err)
		}
	}
	if failed == 0 {
		t.Error("nothing was missed")
	}
	if err := Merge(filepath.Join(t.TempDir(), "b"), nil, Part{Segment: seg}); !errors.Is(err, ErrCorrupt) {
		t.Errorf("merged: %v", err)
	}
}

// TestF11Forged: with sums that are right for whatever stands there, a segment may
// tell anything, but it ends.
//
//ken:unraced
func TestF11Forged(t *testing.T) {
	t.Parallel()
	s := soundOne(t, 40)
	r := rand.New(rand.NewPCG(3, 11))
	n := 300
	if full() {
		n = 30_000
	}
	for range n {
		data := slices.Clone(s.data)
		for range 1 + r.IntN(4) {
			data[headerSize+r.IntN(len(data)-headerSize-len(magic))] = byte(r.Uint32())
		}
		resum(data)
		useAll(t, data, s.terms)
	}
}

// resum gives what looks like a segment the sums that it should have.
func resum(data []byte) {
	if len(data) < headerSize+footerSize {
		return
	}
	body := binary.LittleEndian.Uint64(data[len(data)-footerSize+8*(sections-1):])
	sums := uint64(len(data) - footerSize)
	for page := uint64(0); page*pageSize < body && body <= sums && body+4*page+4 <= sums; page++ {
		binary.LittleEndian.PutUint32(data[body+4*page:], checksum(data[page*pageSize:min((page+1)*pageSize, body)]))
	}
	if body <= sums {
		end := len(data) - len(magic) - 4
		binary.LittleEndian.PutUint32(data[end:], checksum(data[body:end]))
	}
}

// useAll asks a segment everything, and looks only at what must hold of any.
func useAll(t T, data []byte, terms []index.Term) {
	t.Helper()
	fine := func(err error) bool {
		if err != nil && !errors.Is(err, ErrCorrupt) && !errors.Is(err, ErrVersion) {
			t.Fatalf("an error that does not say what to do: %v", err)
		}
		return err == nil
	}
	seg := &Segment{path: "x", data: data}
	if len(data) < headerSize+footerSize || !fine(seg.use(seg.begin)) {
		return
	}
	_, err := seg.Meta()
	fine(err)
	for _, err := range seg.Locators() {
		fine(err)
	}
	c, err := seg.Corpus(Deleted{0x55}, nil)
	if !fine(err) {
		return
	}
	c.Rows.Turns()
	for i := range int32(c.Rows.Len()) {
		row := c.Rows.At(i)
		c.Name(row.Scope)
		c.Name(row.Kind)
		c.Name(row.Session)
		c.Name(row.Speaker)
	}
	fine(c.Rows.Err())
	for _, term := range terms {
		list, err := c.AppendPostings(nil, term)
		fine(err)
		last := int32(-1)
		for _, p := range list {
			if p.Doc <= last || int(p.Doc) >= c.Rows.Len() || p.Counts == [index.Fields]uint16{} {
				t.Fatalf("%+v: %v", term, list)
			}
			last = p.Doc
		}
	}
	w := dictionaryWriter{out: &pagedWriter{}, lists: map[[32]byte]uint64{}}
	m := merging{parts: []Part{{Segment: seg, Deleted: Deleted{0x55}}}}
	if !fine(m.arrange()) {
		return
	}
	if _, err := m.locators(); !fine(err) {
		return
	}
	w.out.page = make([]byte, 0, pageSize)
	w.out.w = bufio.NewWriter(io.Discard)
	fine(m.addTerms(&w))
}

// FuzzOpen: whatever stands in a file, using it ends, and breaks nothing; also if
// somebody made the sums right.
func FuzzOpen(f *testing.F) {
	for _, n := range []int{0, 1, 7} {
		f.Add(soundOne(f, n).data)
	}
	terms := []index.Term{{}, {Text: "the"}, {Form: index.Stem, Text: "the"}, {Text: "ka"}, {Form: 9, Text: "zz"}}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<20 {
			t.Skip("longer than what is of interest")
		}
		useAll(t, slices.Clone(data), terms)
		data = slices.Clone(data)
		resum(data)
		useAll(t, data, terms)
	})
}
