package memory

import (
	"os"
	"strings"
	"testing"
)

// TestSeal: a sum is sealed the same way each time and under each key another way; the
// page of formats has the example of it.
func TestSeal(t *testing.T) {
	t.Parallel()
	sum := SumOf([]byte(`{"id":1,"kind":"fact","content":"tea"}`))
	seal, other := NewSeal(make([]byte, 32)), NewSeal([]byte("x"))
	if seal.Sum(sum) == sum || seal.Sum(sum) == other.Sum(sum) || seal.Sum(sum) != NewSeal(make([]byte, 32)).Sum(sum) {
		t.Error("the sum is not sealed by its key")
	}
	if (*Seal)(nil).Sum(sum) != sum || (*Seal)(nil).Hash("12") != "12" {
		t.Error("no seal changes something")
	}
	id := HashID([]byte("x"))
	if seal.ID(id) == id || seal.ID(Num(3)) != Num(3) || len(seal.ID(id).Hash.String()) != 8 {
		t.Errorf("names: %v, %v", seal.ID(id), seal.ID(Num(3)))
	}
	page, err := os.ReadFile("../../docs/format.md")
	if err != nil {
		t.Fatal(err)
	}
	if want := "is " + sum.String() + "; under a key of 32 zero bytes it is sealed as " + seal.Sum(sum).String() + "."; !strings.Contains(string(page), want) {
		t.Errorf("docs/format.md does not say %q", want)
	}
}
