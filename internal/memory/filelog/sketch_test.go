package filelog

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ken/internal/memory"
)

// initials are sketches for tests: the first byte of a text, and that of a key times 256.
func initials(r *memory.Record, to []uint64) []uint64 {
	if r.Content != "" {
		to = append(to, uint64(r.Content[0]))
	}
	if r.Key != "" {
		to = append(to, uint64(r.Key[0])<<8)
	}
	return to
}

// sketching is openIn with sketches.
func sketching(dir string) *Log {
	l := openIn(dir)
	l.o.Sketches = initials
	return l
}

// tipOf is the end of the log.
func tipOf(t *testing.T, l *Log) memory.Cursor {
	t.Helper()
	tip, err := l.Tip(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return tip.At
}

// only picks texts by their first letter.
func only(letter byte) func([]uint64, []int) []int {
	return func(sketches []uint64, taken []int) []int {
		for i, s := range sketches {
			if s == uint64(letter) {
				taken = append(taken, i)
			}
		}
		return taken
	}
}

// all picks all texts.
func all(sketches []uint64, taken []int) []int {
	for i := range sketches {
		taken = append(taken, i)
	}
	return taken
}

// textsOf are the texts that a fresh Log finds by their first letter, and whether
// it had to read all lines for them.
func textsOf(t *testing.T, l *Log, letter byte) (texts string, readAll bool) {
	t.Helper()
	l = Open(l.path, l.o)
	var list []string
	for rec, err := range l.Lines(t.Context(), tipOf(t, l), only(letter)) {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, rec.Content)
	}
	return strings.Join(list, ", "), l.drawn != nil
}

// TestLines: texts are found by their sketches, and sketches that cannot be
// believed are drawn again by the next append.
func TestLines(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	l := sketching(dir)
	if got, _ := textsOf(t, l, 'a'); got != "" {
		t.Errorf("in no file: %q", got)
	}
	at := memory.Cursor("")
	for _, text := range []string{"apple", "bean", "almond"} {
		at, _ = appended(t, Open(l.path, l.o), at, text)
	}
	check := func(what, want string, wantAll bool) {
		t.Helper()
		if got, all := textsOf(t, l, 'a'); got != want || all != wantAll {
			t.Errorf("%s: %q, all lines read: %t; want %q, %t", what, got, all, want, wantAll)
		}
	}
	check("appended", "apple, almond", false)
	_, err := l.Append(t.Context(), at, func([]memory.Entry) ([]memory.Record, error) {
		forget, edit, more := memory.Record{ID: memory.Num(4), Kind: memory.KindForget, Target: memory.Num(1)}, fact(5, "anise"), fact(6, "berry")
		edit.Kind, edit.Target = memory.KindEdit, memory.Num(2)
		return []memory.Record{forget, edit, more}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	check("of several lines", "apple, almond, anise", false)

	if err := os.Chtimes(l.path, time.Time{}, time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)); err != nil {
		t.Fatal(err)
	}
	check("touched", "apple, almond, anise", false)
	appended(t, Open(l.path, l.o), tipOf(t, l), "broccoli")
	check("touched, then appended", "apple, almond, anise", false)

	// An append that does not know the sketches keeps none.
	again := func(what, want string) {
		t.Helper()
		check(what, want, true)
		l := Open(l.path, l.o)
		for rec, err := range l.Lines(t.Context(), tipOf(t, l), only(0)) {
			t.Errorf("%s: %+v, %v, and nothing was wanted", what, rec, err)
		}
		appended(t, l, tipOf(t, l), "basil")
		check(what+", then appended", want, false)
	}
	without := Open(l.path, l.o)
	without.o.Sketches = nil
	appended(t, without, tipOf(t, without), "apricot")
	again("appended without sketches", "apple, almond, anise, apricot")
	// What another one appends between the look and the append is not forgotten.
	appended(t, without, tipOf(t, without), "beet")
	late := Open(l.path, l.o)
	end := tipOf(t, late)
	for rec, err := range late.Lines(t.Context(), end, only(0)) {
		t.Errorf("%+v, %v, and nothing was wanted", rec, err)
	}
	appended(t, without, end, "aster")
	appended(t, late, end, "bilberry")
	again("appended meanwhile", "apple, almond, anise, apricot, aster")
	inPlace(t, l.path, strings.NewReplacer("almond", "carrot", "aster", "caper").Replace(content(t, l)))
	again("edited by hand", "apple, anise, apricot")
	inPlace(t, l.path, strings.TrimSuffix(content(t, l), "\n"))
	again("without the last line end", "apple, anise, apricot")
	f, err := os.OpenFile(l.path, os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = f.WriteString(`{"id":90,"content":"aloe"}` + "\n{broken\n\n" + `{"id":91,"content":"acorn"}`)
	}
	if err = errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
	again("lines by hand", "apple, anise, apricot, aloe, acorn")

	kept, err := os.ReadFile(l.sketchFile())
	if err != nil {
		t.Fatal(err)
	}
	flipped := func(at int) []byte {
		b := slices.Clone(kept)
		b[at] ^= 1
		return b
	}
	// Two lines of one sketch, each at the offset of the other, or both at that of one.
	places := func(change func(offsets []byte, i, j int)) []byte {
		b := slices.Clone(kept)
		i := slices.Index(b, 'a') / wordSize
		j := i + 1 + slices.Index(b[(i+1)*wordSize:], 'a')/wordSize
		change(b[blockSize*wordSize:], i*wordSize, j*wordSize)
		return b
	}
	swapped := places(func(o []byte, i, j int) {
		was := slices.Clone(o[i : i+wordSize])
		copy(o[i:], o[j:j+wordSize])
		copy(o[j:], was)
	})
	for what, b := range map[string][]byte{
		"in another order": swapped, "the same line twice": places(func(o []byte, i, j int) { copy(o[j:], o[i:i+wordSize]) }),
		"empty": nil, "cut": kept[:wordSize], "zeros": make([]byte, len(kept)),
		"a sketch": flipped(0), "an offset": flipped(blockSize * wordSize),
		"no offsets": kept[:blockSize*wordSize], "an offset beyond the log": flipped(blockSize*wordSize + 6),
	} {
		if err := os.WriteFile(l.sketchFile(), b, 0o600); err != nil {
			t.Fatal(err)
		}
		check(what, "apple, anise, apricot, aloe, acorn", true)
	}
	if err := os.WriteFile(l.sketchFile(), append(kept, "what an append that died left"...), 0o600); err != nil {
		t.Fatal(err)
	}
	check("more than the head knows of", "apple, anise, apricot, aloe, acorn", false)

	// The head of a version that kept sketches of texts alone.
	head, err := os.ReadFile(l.o.Head)
	if err != nil {
		t.Fatal(err)
	}
	line, _, _ := strings.Cut(string(head), "\n") // behind it is left of a longer one
	_, said, _ := strings.Cut(line, " ")
	said = strings.Replace(said, `"marked":`, `"sketches":`, 1)
	write(t, l.o.Head, fmt.Sprintf("%08x %s\n", crc32.ChecksumIEEE([]byte(said)), said))
	if !usesHead(t, l) {
		t.Error("a head of an older version is not believed at all")
	}
	check("of an older version", "apple, anise, apricot, aloe, acorn", true)

	if _, err := l.Erase(t.Context(), memory.Num(1)); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(l.sketchFile()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the sketches of what was erased are there: %v", err)
	}
	again("erased", "anise, apricot, aloe, acorn")
}

// TestLinesBlocks: sketches go on from block to block, appended in ones and in
// thousands.
func TestLinesBlocks(t *testing.T) {
	t.Parallel()
	l := sketching(t.TempDir())
	at, n, wanted := memory.Cursor(""), int64(0), 0
	for _, count := range []int{1, blockSize - 2, 1, 1, 2*blockSize + 5, 1} {
		recs := make([]memory.Record, count)
		for i := range recs {
			n++
			text := "bean"
			if n%1000 == 1 {
				text, wanted = "apple", wanted+1
			}
			recs[i] = fact(n, text)
		}
		var err error
		at, err = Open(l.path, l.o).Append(t.Context(), at, func([]memory.Entry) ([]memory.Record, error) { return recs, nil })
		if err != nil {
			t.Fatal(err)
		}
		got, all := textsOf(t, l, 'a')
		if strings.Count(got, "apple") != wanted || strings.Contains(got, "bean") || all {
			t.Errorf("of %d: %q, all lines read: %t; want %d", n, got, all, wanted)
		}
	}
}

// TestLinesOf: one that is asked again and again answers from what it has seen.
func TestLinesOf(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	l := sketching(dir)
	find := func(letter byte) string {
		t.Helper()
		var list []string
		for rec, err := range l.LinesOf(t.Context(), tipOf(t, l), uint64(letter), 0) {
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, rec.Content)
		}
		return strings.Join(list, ", ")
	}
	appended(t, l, "", "apple")
	for range 3 {
		if a, b := find('a'), find('b'); a != "apple" || b != "" {
			t.Errorf("%q, %q", a, b)
		}
	}
	appended(t, sketching(dir), tipOf(t, l), "bean") // another process
	appended(t, l, tipOf(t, l), "beet")
	if a, b := find('a'), find('b'); a != "apple" || b != "bean, beet" {
		t.Errorf("%q, %q", a, b)
	}
	if l.seen.N != 3 || len(l.seen.set) != 2 {
		t.Errorf("seen: %+v", l.seen)
	}
	if _, err := l.Erase(t.Context(), memory.Num(2)); err != nil {
		t.Fatal(err)
	}
	for range 2 { // by reading, then by the sketches
		if a, b := find('a'), find('b'); a != "apple" && a != "apple, avocado" || b != "beet" {
			t.Errorf("erased: %q, %q", a, b)
		}
		appended(t, l, tipOf(t, l), "avocado")
	}
}

func TestLinesEnd(t *testing.T) {
	t.Parallel()
	l := sketching(t.TempDir())
	end, _ := appended(t, l, "", "apple")
	appended(t, l, end, "almond")
	n := 0
	for _, err := range l.Lines(t.Context(), tipOf(t, l), all) {
		if n++; err != nil {
			t.Fatal(err)
		}
		break
	}
	if n != 1 {
		t.Errorf("%d texts after a break", n)
	}
	inPlace(t, l.path, strings.Replace(content(t, l), "apple", "grape", 1))
	for _, err := range l.Lines(t.Context(), end, all) {
		if !errors.Is(err, memory.ErrStale) {
			t.Errorf("behind an edit: %v", err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	write(t, filepath.Join(filepath.Dir(l.path), "memory.jsonl"), strings.Repeat(`{"content":"x"}`+"\n", 2000))
	var got error
	for _, err := range l.Lines(ctx, tipOf(t, l), only(0)) {
		got = err
	}
	if !errors.Is(got, context.Canceled) {
		t.Errorf("cancelled: %v", got)
	}
}
