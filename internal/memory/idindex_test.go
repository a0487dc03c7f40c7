package memory

import (
	"testing"

	"pgregory.net/rapid"
)

// TestIndexIsMap: whatever was expected of a log, an idIndex finds what a map
// would.
func TestIndexIsMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, m := newIDIndex(), map[ID]int32{}
		for range rapid.IntRange(0, 3).Draw(t, "logs") {
			x.Expect(rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "expected"), rapid.IntRange(0, 40).Draw(t, "lines"))
		}
		id := rapid.Custom(func(t *rapid.T) ID {
			id := ID{Log: rapid.SampledFrom([]string{"", "a", "b", "c"}).Draw(t, "log")}
			if rapid.Bool().Draw(t, "hashed") {
				id.Hash = rapid.SampledFrom([]hash{isHash, isHash | 1, isHash | 2}).Draw(t, "hash")
				return id
			}
			id.N = rapid.OneOf(rapid.Int64Range(0, 70), rapid.SampledFrom([]int64{MaxID})).Draw(t, "n")
			return id
		})
		for i := range rapid.IntRange(0, 60).Draw(t, "adds") {
			id := id.Draw(t, "add")
			x.Add(id, int32(i))
			m[id] = int32(i)
		}
		for range 60 {
			id := id.Draw(t, "find")
			want, known := m[id]
			if got, ok := x.Find(id); ok != known || ok && got != want {
				t.Fatalf("Find(%+v) = %d, %v; want %d, %v", id, got, ok, want, known)
			}
		}
	})
}

func TestSum(t *testing.T) {
	// The check value of CRC-32C, as catalogues of such sums give it.
	if s := SumOf([]byte("123456789")); s != 0xe3069283 || s.String() != "e3069283" {
		t.Errorf("the sum is %v", s)
	}
	if s := Sum(0).String(); s != "" {
		t.Errorf("the zero Sum is %q", s)
	}
}

// TestHash: a hash is read as it is written, also one of zeros, and in the order of its text.
func TestHash(t *testing.T) {
	t.Parallel()
	before := hash(0)
	for _, text := range []string{"00000000", "00000001", "0a2b3c4d", "1a2b3c4d", "ffffffff"} {
		h, ok := parseHash(text)
		if !ok || h.String() != text || h <= before || (ID{Hash: h}).IsZero() {
			t.Errorf("%s is read as %v, %v", text, h, ok)
		}
		if id, err := ParseID("h" + text); err != nil || id != (ID{Hash: h}) || id.String() != "h"+text {
			t.Errorf("h%s names %v, %v", text, id, err)
		}
		before = h
	}
	for _, text := range []string{"", "1a2b3c4", "1a2b3c4d5", "1A2B3C4D", "-1a2b3c4", "0x1a2b3c", "1a2b_c4d"} {
		if h, ok := parseHash(text); ok || h != 0 {
			t.Errorf("%q is read as %v", text, h)
		}
	}
	if s := hash(0).String(); s != "" {
		t.Errorf("none is written as %q", s)
	}
}
