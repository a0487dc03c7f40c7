package delta

import "testing"

func FuzzThink(f *testing.F) {
	for _, s := range []string{
		"<think>a</think>b", "a</think>b", "<think>a<think>b</think>c</think>d", "use `</think>`", "<think>a",
		"a\n```\n</think>\n```\nb", " <THINKING>\n</Think>", "<think>`</think>", "a<thi", "\n\n",
	} {
		f.Add(s, []byte{1})
		f.Add(s, []byte{3, 5, 9})
	}
	f.Fuzz(func(t *testing.T, content string, cuts []byte) {
		var at []int
		n := 0
		for _, c := range cuts {
			n += 1 + int(c)
			if n < len(content) {
				at = append(at, n)
			}
		}
		checkSplits(t, content, at)
	})
}
