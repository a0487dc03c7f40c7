package term

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
)

// TestPour: what is printed a bit at a time is, to the byte, what is printed in one piece.
func TestPour(t *testing.T) {
	t.Parallel()
	texts := []string{"tea", "<b>\x1b[31m\u202ered\x07", "one\ntwo\r\u2028é😀", strings.Repeat("long ", 20_000)}
	printed := func(print func(a *Run) error) string {
		t.Helper()
		var out bytes.Buffer
		if err := print(New(Env{Stdout: &out})); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	for n := range len(texts) + 1 {
		some := texts[:n]
		values := make([]map[string]any, n)
		for i, text := range some {
			values[i] = map[string]any{"text": text, "none": []string{}, "list": []int{1, 2}}
		}
		want := printed(func(a *Run) error { return a.PrintJSON(values) })
		if got := printed(func(a *Run) error { return PrintList(a, n, func(i int) any { return values[i] }) }); got != want {
			t.Errorf("%d values:\n got %.300q\nwant %.300q", n, got, want)
		}
		want = printed(func(a *Run) error { return a.Println(strings.Join(some, "")) })
		got := printed(func(a *Run) error {
			return Pour(a, func(w io.Writer) error {
				for _, text := range some {
					if k, err := fmt.Fprint(w, text); err != nil || k != len(text) {
						return fmt.Errorf("%d of %d: %w", k, len(text), err)
					}
				}
				return nil
			})
		})
		if got != want {
			t.Errorf("%d texts:\n got %.300q\nwant %.300q", n, got, want)
		}
	}
}
