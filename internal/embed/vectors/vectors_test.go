package vectors

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"ken/internal/jsonl"
)

func vector(seed, numbers int) []float32 {
	r := rand.New(rand.NewPCG(uint64(seed), 7))
	v, sum := make([]float32, numbers), 0.0
	for i := range v {
		v[i] = float32(r.NormFloat64())
		sum += float64(v[i]) * float64(v[i])
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(sum))
	}
	return v
}

func cosine(a, b []float32) (sum float64) {
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

type tester interface {
	Fatal(args ...any)
	Helper()
}

func edit(t tester, path string, space Space) *Writer {
	t.Helper()
	w, err := Edit(context.Background(), path, space)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func compare(t tester, path string, space Space, q []float32, most int, wanted ...Key) Comparison {
	t.Helper()
	f, err := Open(path, space)
	if err != nil {
		t.Fatal(err)
	}
	c, err := f.Compare(context.Background(), q, most, wanted...)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return c
}

func rowOf(i, numbers int) Row {
	return Row{fmt.Sprintf("log/%d", i), KeyOf(fmt.Sprint("text ", i)), vector(i, numbers)}
}

// TestCompare: what is compared in the file is what the vectors say, but for the
// rounding to 8 bits.
func TestCompare(t *testing.T) {
	t.Parallel()
	const rows, numbers = 300, 64
	path, space := filepath.Join(t.TempDir(), "v", "memory.vec"), SpaceOf("http://h/v1/embeddings", "m")
	w := edit(t, path, space)
	if err := w.Ready(numbers); err != nil {
		t.Fatal(err)
	}
	var list []Row
	for i := range rows {
		list = append(list, rowOf(i, numbers))
	}
	if err := errors.Join(w.Add(list[:100]), w.Add(list[100:]), w.Close()); err != nil {
		t.Fatal(err)
	}
	q := vector(-1, numbers)
	c := compare(t, path, space, q, 10, list[7].Key, KeyOf("none"))
	var likes []float64
	for _, r := range list {
		likes = append(likes, cosine(q, r.Vector))
	}
	slices.Sort(likes)
	if c.Rows != rows || c.Bad != 0 || len(c.Best) != 10 || len(c.Of) != 1 {
		t.Fatalf("%d rows, %d bad, %d best, %d asked for", c.Rows, c.Bad, len(c.Best), len(c.Of))
	}
	const rounding = 0.01
	if got, want := c.Of[list[7].Key], cosine(q, list[7].Vector); math.Abs(got-want) > rounding {
		t.Errorf("row 7: %f, want %f", got, want)
	}
	for i, n := range c.Best {
		if want := likes[rows-1-i]; math.Abs(n.Like-want) > rounding {
			t.Errorf("best %d: %f, want %f", i, n.Like, want)
		}
	}
	if want := (likes[rows/2-1] + likes[rows/2]) / 2; math.Abs(c.Median-want) > rounding {
		t.Errorf("median %f, want %f", c.Median, want)
	}
	f, err := Open(path, space)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Compare(t.Context(), q[1:], 10); err == nil {
		t.Error("a vector of another length was compared")
	}
	_ = f.Close()
	if _, err := Open(path, SpaceOf("http://h/v1/embeddings", "other")); !errors.Is(err, ErrNone) || errors.Is(err, ErrDamaged) {
		t.Errorf("another model: %v", err)
	}
	if st, err := os.Stat(path); err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", st.Mode(), err)
	}
}

// TestDamage: one byte that is damaged, or a file that is cut off, costs a row, or
// else the file, and never gives a wrong vector.
func TestDamage(t *testing.T) {
	t.Parallel()
	const rows, numbers = 5, 8
	dir := t.TempDir()
	path, space := filepath.Join(dir, "memory.vec"), SpaceOf("a", "m")
	w := edit(t, path, space)
	if err := w.Ready(numbers); err != nil {
		t.Fatal(err)
	}
	var keys []Key
	for i := range rows {
		keys = append(keys, rowOf(i, numbers).Key)
		if err := w.Add([]Row{rowOf(i, numbers)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	q := vector(-1, numbers)
	want := compare(t, path, space, q, rows, keys...)
	look := func(name string, b []byte, left int) {
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := Open(path, space)
		if err != nil {
			if left >= 0 || !errors.Is(err, ErrNone) {
				t.Errorf("%s: %v", name, err)
			}
			return
		}
		defer func() { _ = f.Close() }()
		c, err := f.Compare(t.Context(), q, rows, keys...)
		if err != nil || c.Rows != left {
			t.Errorf("%s: %d rows, want %d: %v", name, c.Rows, left, err)
		}
		for k, like := range c.Of {
			if like != want.Of[k] {
				t.Errorf("%s: %f, want %f", name, like, want.Of[k])
			}
		}
	}
	for i := range good {
		left := rows - 1
		if i < headBytes {
			left = -1
		}
		b := slices.Clone(good)
		b[i] ^= 0x40
		look(fmt.Sprint("byte ", i), b, left)
	}
	for n := range good {
		left := -1
		if n >= headBytes {
			left = (n - headBytes) / (rowHead + numbers)
		}
		look(fmt.Sprint("cut at ", n), good[:n], left)
	}
	// A torn row is taken off before the next is added.
	if err := os.WriteFile(path, good[:len(good)-3], 0o600); err != nil {
		t.Fatal(err)
	}
	w = edit(t, path, space)
	if err := errors.Join(w.Ready(numbers), w.Add([]Row{rowOf(rows-1, numbers)}), w.Close()); err != nil {
		t.Fatal(err)
	}
	if c := compare(t, path, space, q, rows); c.Rows != rows || c.Bad != 0 {
		t.Errorf("after a torn row: %d rows, %d bad", c.Rows, c.Bad)
	}
}

// TestDeleted: what is added after the file was deleted is gone with it, and a file
// that was deleted is not brought back by putting it in order.
func TestDeleted(t *testing.T) {
	t.Parallel()
	const numbers = 8
	path, space := filepath.Join(t.TempDir(), "memory.vec"), SpaceOf("a", "m")
	w := edit(t, path, space)
	if err := errors.Join(w.Ready(numbers), w.Add([]Row{rowOf(1, numbers)})); err != nil {
		t.Fatal(err)
	}
	if _, err := Edit(t.Context(), path, space); !errors.Is(err, jsonl.ErrBusy) {
		t.Errorf("a second writer: %v", err)
	}
	direct := func(swap func() error) error { return swap() }
	if _, err := w.Compact(t.Context(), func(string, Key) bool { return false }, func(swap func() error) error {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		return swap()
	}); err == nil {
		t.Error("a deleted file was put in order")
	}
	if err := w.Add([]Row{rowOf(2, numbers)}); err != nil {
		t.Fatal(err)
	}
	left, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(left) != 1 || left[0].Name() != ".lock" {
		t.Errorf("left over: %v, %v", left, err)
	}
	if err := errors.Join(w.Ready(numbers), w.Add([]Row{rowOf(3, numbers), rowOf(4, numbers)})); err != nil {
		t.Fatal(err)
	}
	if w.Has("log/1", rowOf(1, numbers).Key) || !w.Has("log/3", rowOf(3, numbers).Key) {
		t.Error("what is there is not what was added")
	}
	gone, err := w.Compact(t.Context(), func(ref string, _ Key) bool { return ref == "log/4" }, direct)
	if err != nil || gone != 1 || w.Rows() != 1 {
		t.Errorf("put in order: %d gone, %d left, %v", gone, w.Rows(), err)
	}
	if err := errors.Join(w.Add([]Row{rowOf(5, numbers)}), w.Close()); err != nil {
		t.Fatal(err)
	}
	c := compare(t, path, space, vector(-1, numbers), 9)
	if c.Rows != 2 || c.Bad != 0 {
		t.Errorf("%d rows, %d bad", c.Rows, c.Bad)
	}
	// Vectors of another length take the place of all.
	w = edit(t, path, space)
	if err := errors.Join(w.Ready(4), w.Add([]Row{rowOf(6, 4)}), w.Close()); err != nil {
		t.Fatal(err)
	}
	if c := compare(t, path, space, vector(-1, 4), 9); c.Rows != 1 {
		t.Errorf("%d rows of the new length", c.Rows)
	}
}

// TestWriter: however rows are added, opened again and put in order, what is there
// is the newest row of each item.
func TestWriter(t *testing.T) {
	t.Parallel()
	const numbers = 4
	dir, ctx := t.TempDir(), t.Context()
	n := 0
	rapid.Check(t, func(t *rapid.T) {
		n++
		path, space := filepath.Join(dir, fmt.Sprint(n), "memory.vec"), SpaceOf("a", "m")
		want := make(map[string]Key)
		w := edit(t, path, space)
		t.Repeat(map[string]func(*rapid.T){
			"add": func(t *rapid.T) {
				r := rowOf(rapid.IntRange(0, 5).Draw(t, "item"), numbers)
				r.Key = KeyOf(fmt.Sprint(rapid.IntRange(0, 3).Draw(t, "text")))
				if err := errors.Join(w.Ready(numbers), w.Add([]Row{r})); err != nil {
					t.Fatal(err)
				}
				want[r.Ref] = r.Key
			},
			"reopen": func(t *rapid.T) {
				if err := w.Close(); err != nil {
					t.Fatal(err)
				}
				w = edit(t, path, space)
			},
			"compact": func(t *rapid.T) {
				drop := fmt.Sprintf("log/%d", rapid.IntRange(0, 5).Draw(t, "item"))
				delete(want, drop)
				if _, err := w.Compact(ctx, func(ref string, key Key) bool { return want[ref] == key }, func(swap func() error) error { return swap() }); err != nil {
					t.Fatal(err)
				}
				if w.Rows() != len(want) {
					t.Fatalf("%d rows of %d items", w.Rows(), len(want))
				}
			},
			"": func(t *rapid.T) {
				for ref, key := range want {
					if !w.Has(ref, key) {
						t.Fatalf("%s is not there", ref)
					}
				}
			},
		})
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	})
}

// FuzzOpen: whatever bytes a file has, reading it ends in vectors or an error.
func FuzzOpen(f *testing.F) {
	space := SpaceOf("a", "m")
	h := head(space, 3)
	f.Add(append(slices.Clone(h), appendRow(nil, rowOf(1, 3))...))
	f.Add(h[:40])
	f.Add([]byte{})
	path := filepath.Join(f.TempDir(), "memory.vec")
	f.Fuzz(func(t *testing.T, b []byte) {
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		file, err := Open(path, space)
		if err != nil {
			return
		}
		defer func() { _ = file.Close() }()
		c, err := file.Compare(t.Context(), make([]float32, file.Length()), 3)
		if err != nil || math.IsNaN(c.Median) {
			t.Fatal(c, err)
		}
	})
}

// BenchmarkCompare is a question to 20,000 vectors of 768 numbers.
func BenchmarkCompare(b *testing.B) {
	const rows, numbers = 20000, 768
	path, space := filepath.Join(b.TempDir(), "memory.vec"), SpaceOf("a", "m")
	w := edit(b, path, space)
	if err := w.Ready(numbers); err != nil {
		b.Fatal(err)
	}
	v := vector(1, numbers)
	for i := range rows / 100 {
		var list []Row
		for j := range 100 {
			list = append(list, Row{fmt.Sprint(i*100 + j), Key{byte(i), byte(j)}, v})
		}
		if err := w.Add(list); err != nil {
			b.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if c := compare(b, path, space, v, 100); c.Rows != rows {
			b.Fatal(c.Rows)
		}
	}
}
