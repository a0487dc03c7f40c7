package ask

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// gate is the question with most answers.
func gate(danger bool) Question {
	return Question{Asks: "run it?", Danger: danger, Choices: []Choice{
		{Answer: Yes, Says: "run"},
		{Answer: Edit},
		{Answer: Why},
		{Answer: Copy},
		{Answer: Session},
		{Answer: Always, Says: "git push *"},
		{Answer: Try, Hidden: true},
	}}
}

// A press is keys that come at once, so long after those before.
type press struct {
	after time.Duration
	keys  string
}

// put has presses come, and says how each question of a row is answered: the next is asked when the one before
// is answered, once nothing came for a while, as a terminal does it. rest is what nobody read.
func put(q Question, presses []press) (said []Answer, rest string) {
	r := Read(q)
	settle := func(after time.Duration) bool {
		for {
			d, forever := r.Pause()
			if forever || after < d {
				return false
			}
			o, a, _ := r.Paused()
			switch o {
			case Waits:
				return false
			case Answered:
				said = append(said, a)
				return true
			case Again:
			}
		}
	}
	for i, p := range presses {
		if settle(p.after) {
			for _, p := range presses[i:] {
				rest += p.keys
			}
			return said, rest
		}
		r.Keys([]byte(p.keys))
	}
	settle(time.Hour)
	return said, ""
}

// typed is a text key by key.
func typed(text string, apart time.Duration) []press {
	var list []press
	for i := range len(text) {
		list = append(list, press{apart, text[i : i+1]})
	}
	return list
}

func TestReading(t *testing.T) {
	t.Parallel()
	const fast, slow = 20 * time.Millisecond, 400 * time.Millisecond
	for _, c := range []struct {
		name   string
		danger bool
		keys   []press
		said   Answer // "" is none: it waits
		rest   string
	}{
		{"a key", false, typed("y", fast), Yes, ""},
		{"as a capital", false, typed("Y", fast), Yes, ""},
		{"a key and Enter", false, typed("y\r", fast), Yes, ""},
		{"both at once", false, []press{{fast, "y\r"}}, Yes, ""},
		{"its word", false, typed("yes\r", fast), Yes, ""},
		{"Enter", false, typed("\r", fast), No, ""},
		{"why", false, typed("?", fast), Why, ""},
		{"a word that lasts", false, typed("always\r", slow), Always, ""},
		{"without Enter", false, typed("always", slow), "", ""},
		{"its letter", false, typed("a", slow), "", ""},
		{"its letter and Enter", false, typed("a\r", slow), "", ""},
		{"what is not offered", false, typed("never\r", slow), "", ""},
		{"taken back", false, typed("x\x7fy", fast), Yes, ""},
		{"Ctrl-C", false, typed("\x03", fast), Stop, ""},
		{"Ctrl-D", false, typed("\x04", fast), Stop, ""},
		{"Escape", false, typed("\x1b", fast), Stop, ""},
		{"an arrow", false, []press{{fast, "\x1b[A"}}, "", ""},
		{"Alt and a key", false, []press{{fast, "\x1by"}}, "", ""},
		{"a word", false, typed("wait", fast), "", ""},
		{"slowly", false, typed("wait", slow), "", ""},
		{"at once", false, []press{{fast, "wait"}}, "", ""},
		{"in marks", false, []press{{fast, "\x1b[200~y\x1b[201~"}}, "", ""},
		{"in marks with Enter", false, []press{{fast, "\x1b[200~y\r\x1b[201~\r"}}, "", ""},
		{"lines", false, []press{{fast, "y\rls\r"}}, "", ""},
		{"held", false, typed("yyyy", fast), "", ""},
		{"Enter held", false, typed("\r\r\r\r", fast), "", ""},
		{"two words", false, typed("wait\rwhat\r", slow), Stop, ""},
		{"a word, then a key", false, append(typed("wait", fast), press{time.Second, "y"}), "", ""},
		{"a word, then a key and Enter", false, append(typed("wait", fast), press{time.Second, "y\r"}), Yes, ""},
		{"a word, then no", false, append(typed("wait", fast), press{time.Second, "n"}), No, ""},
		{"a key in danger", true, typed("y", fast), "", ""},
		{"with Enter", true, typed("y\r", fast), "", ""},
		{"the word in danger", true, typed("yes\r", slow), Yes, ""},
		{"a letter that is no key, key by key", true, typed("hey", slow), "", ""},
		{"what comes later is another's", false, append(typed("y", fast), press{time.Second, "ls"}), Yes, "ls"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			said, rest := put(gate(c.danger), c.keys)
			var want []Answer
			if c.said != "" {
				want = []Answer{c.said}
			}
			if diff := cmp.Diff(want, said); diff != "" || rest != c.rest {
				t.Errorf("rest %q (-want +got):\n%s", rest, diff)
			}
		})
	}
}

// TestReadingLets: whatever is typed, and however fast, nothing is let in but by one key that stood alone, by
// what is typed for an answer with Enter behind it, and by nothing else.
func TestReadingLets(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		q := gate(rapid.Bool().Draw(t, "danger"))
		words := rapid.OneOf(
			rapid.SampledFrom([]string{"wait", "hey", "why", "yikes", "yes", "y", "n", "always", "s", "session", "all", "a", "sure"}),
			rapid.StringMatching(`[a-z?]{1,8}`), rapid.StringMatching(`[ -~\r\x1b\x03\x7f]{1,12}`),
		)
		var presses []press
		var lines []string // what a person would call typed by itself: parted by Enter or half a second
		line, back := "", false
		end := func() { lines, line = append(lines, strings.ToLower(line)), "" }
		for range rapid.IntRange(1, 5).Draw(t, "bursts") {
			after := time.Duration(rapid.IntRange(0, 1500).Draw(t, "after")) * time.Millisecond
			apart := time.Duration(rapid.IntRange(0, 900).Draw(t, "apart")) * time.Millisecond
			for i, p := range typed(words.Draw(t, "word")+rapid.SampledFrom([]string{"", "\r"}).Draw(t, "end"), apart) {
				if i == 0 {
					p.after = after
				}
				if p.after >= Alone {
					end()
				}
				back = back || p.keys == "\x7f" // what is taken back is told by the table above
				presses = append(presses, p)
				line += p.keys
				if p.keys == "\r" {
					end()
				}
			}
		}
		end()
		said, _ := put(q, presses)
		if len(said) == 0 || !said[0].lets() || back {
			return
		}
		key := q.typed(said[0])
		var may []string
		if len(key) == 1 {
			may = append(may, key)
		}
		may = append(may, key+"\r", string(said[0])+"\r")
		whole := strings.ToLower(strings.Join(lines, ""))
		if !slices.ContainsFunc(lines, func(l string) bool { return slices.Contains(may, strings.TrimLeft(l, " ")) }) &&
			!strings.Contains(whole, string(said[0])+"\r") { // a word may be typed slowly
			t.Fatalf("%v let in: %v", said, presses)
		}
	})
}

// TestReadingBurst: keys that come less than half a second apart are one thing: more of them than one answer and
// Enter are no answer, and none of them is left for anybody else.
func TestReadingBurst(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		q := gate(rapid.Bool().Draw(t, "danger"))
		text := rapid.StringMatching(`[ -~\r\x1b]{2,30}`).Draw(t, "text")
		var presses []press
		for _, p := range typed(text, 0) {
			p.after = time.Duration(rapid.Int64Range(0, int64(Behind)-1).Draw(t, "apart"))
			presses = append(presses, p)
		}
		said, rest := put(q, presses)
		if rest != "" {
			t.Fatalf("%q is left of %q", rest, text)
		}
		if len(said) > 0 && said[0].lets() {
			if a, ok := q.Of(strings.TrimSuffix(text, "\r")); !ok || a != said[0] || !strings.HasSuffix(text, "\r") {
				t.Fatalf("%q is %q", text, said[0])
			}
		}
	})
}

func TestText(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		q    Question
		want string
	}{
		{Confirm("forget it?"), "forget it? [y] yes  [N] no > "},
		{gate(false), "run it? [y] run  [e] edit  [?] why  [c] copy  [s] session  [always] git push *  [N] no > "},
		{gate(true), "run it? [yes] run  [e] edit  [?] why  [c] copy  [s] session  [always] git push *  [N] no > "},
		{
			Question{Asks: "page 1 of 2:", Enter: Next, Choices: []Choice{{Answer: Next, Says: "go on"}, {Answer: Stop}}},
			"page 1 of 2: [q] quit  [Enter] go on > ",
		},
		{
			Question{Asks: "keep it?", Enter: Next, Choices: []Choice{{Answer: Yes}, {Answer: No, Says: "refuse"}, {Answer: Never}, {Answer: Next}}},
			"keep it? [y] yes  [n] refuse  [never]  [Enter] next > ",
		},
		{Question{Asks: "1\n2:\n", No: "leave it", Enter: Yes, Choices: []Choice{{Answer: Yes}}}, "1\n2:\n[y] yes  [N] leave it > "},
	} {
		if diff := cmp.Diff(c.want, c.q.Text()); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

// TestAlphabet: no key means two things.
func TestAlphabet(t *testing.T) {
	t.Parallel()
	of := map[byte]Answer{}
	for _, l := range alphabet() {
		switch {
		case l.key == 0:
		case of[l.key] != "":
			t.Errorf("%c is %s and %s", l.key, of[l.key], l.answer)
		case l.answer == Always, l.answer == Never:
			t.Errorf("%s lasts and has a key", l.answer)
		}
		of[l.key] = l.answer
	}
}
