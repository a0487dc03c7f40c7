package app

import (
	"os"
	"strings"
	"testing"
	"time"
)

// TestR381OwnQuestions: ken asks two questions of its own accord on a day of its person's clock, about each thing once, and none
// of a sort that is off or of a memory that is only read.
func TestR381OwnQuestions(t *testing.T) {
	t.Parallel()
	ctx, h := t.Context(), openView(t, "")
	at := time.Date(2026, 5, 10, 9, 0, 0, 0, time.Local)
	h.o.Now = func() time.Time { return at }
	if _, err := h.Settings.Read(); err != nil {
		t.Fatal(err)
	}
	may := func(sort, about string, want Leave) {
		t.Helper()
		if got := h.Questions.May(ctx, OwnQuestion{sort, about}); got != want {
			t.Errorf("%s %s: %v, want %v", sort, about, got, want)
		}
	}
	may(AskReplace, "1 2", MayAsk)
	may(AskReplace, "1 2", Asked)
	may(AskLessons, "1 2", MayAsk)
	may(AskEnded, "", MayWait)
	may(AskReplace, "1 2", Asked)
	path := h.Settings.paths.Questions()
	text, err := os.ReadFile(path)
	if err != nil || strings.Count(string(text), "\n") != 2 {
		t.Fatalf("%v: %s", err, text)
	}
	if err := os.WriteFile(path, append([]byte("no line\n"), append(text, `{"ts":`...)...), 0o600); err != nil {
		t.Fatal(err)
	}
	may(AskEnded, "", MayWait)
	at = time.Date(2026, 5, 11, 0, 1, 0, 0, time.Local)
	may(AskReplace, "1 2", Asked)
	may(AskEnded, "", MayAsk)
	may(AskEnded, "", MayAsk)
	may(AskEnded, "", MayWait)

	at = at.AddDate(0, 0, 1)
	for _, c := range []struct{ sort, back, off string }{
		{AskLessons, "config set --unset questions.off", `["lessons"]`},
		{AskEnded, "config set questions.off 'lessons'", `["lessons", "ended"]`},
		{AskEnded, "config set questions.off 'lessons'", `["lessons", "ended"]`},
	} {
		back, err := h.Questions.Never(ctx, c.sort)
		b, _ := os.ReadFile(h.Settings.paths.ConfigFile())
		if back != c.back || err != nil || !strings.Contains(string(b), "off = "+c.off) {
			t.Errorf("%s: %q, %v:\n%s", c.sort, back, err, b)
		}
	}
	may(AskEnded, "", Off)
	may(AskKeep, "", MayAsk)

	h.o.Flags.ReadOnly = true
	may(AskKeep, "", Off)
	if _, err := h.Questions.Never(ctx, AskKeep); err == nil {
		t.Error("a memory that is only read was written to")
	}
}
