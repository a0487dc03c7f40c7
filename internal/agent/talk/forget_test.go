package talk

import (
	"strings"
	"testing"

	"ken/internal/llm/llmtest"
)

// TestR378Offered: at a face that is no terminal a forgetting shows what memories and turns say,
// with the command that forgets all of it, which one undo takes back; nothing found is said, and
// no model is asked.
func TestR378Offered(t *testing.T) {
	t.Parallel()
	dir, model := t.TempDir(), llmtest.New(t)
	model.Always(llmtest.Text("All right."))
	d := open(t, dir, model, "")
	for _, line := range []string{"Zebulon is the one who is at the door", "what is new?"} {
		if _, _, err := ask(t, d, typed(line)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := d.Do(t.Context(), "remember", "Zebulon likes tea"); err != nil {
		t.Fatal(err)
	}
	asked := len(model.Requests())
	_, told, err := ask(t, d, typed("forget everything about Zebulon"))
	shown := strings.Join(told, "\n")
	if err != nil || !strings.Contains(shown, "Zebulon likes tea") || !strings.Contains(shown, "1 turn in 1 conversation") {
		t.Errorf("%q, %v", told, err)
	}
	said, err := d.Do(t.Context(), "forget", "everything about Zebulon")
	if err != nil || !strings.HasPrefix(said, "forgot 1 memory and 1 turn (undo: ") {
		t.Errorf("%q, %v", said, err)
	}
	_, told, err = ask(t, d, typed("forget everything about Zebulon"))
	if err != nil || len(told) != 1 || told[0] != "nothing is remembered about Zebulon, and no conversation mentions it" {
		t.Errorf("%q, %v", told, err)
	}
	if n := len(model.Requests()); n != asked {
		t.Errorf("the model was asked %d times more", n-asked)
	}
	if said, err = d.Do(t.Context(), "undo", ""); err != nil || !strings.Contains(said, "and 1 turn") {
		t.Errorf("%q, %v", said, err)
	}
	d.Close(t.Context())
}

// TestR378OfferedSmallNames: a name that is a small word is shown where it begins a memory, and what has the small word is left.
func TestR378OfferedSmallNames(t *testing.T) {
	t.Parallel()
	d := open(t, t.TempDir(), llmtest.New(t), "")
	for _, text := range []string{"Will does the pen test for kestrel", "releases will freeze in november"} {
		if _, err := d.Do(t.Context(), "remember", text); err != nil {
			t.Fatal(err)
		}
	}
	_, told, err := ask(t, d, typed("forget Will"))
	said, other := d.Do(t.Context(), "forget", "Will")
	for _, shown := range []string{strings.Join(told, "\n"), said} {
		if err != nil || other != nil || !strings.Contains(shown, "Nothing was done yet") ||
			!strings.Contains(shown, "Will does the pen test") || strings.Contains(shown, "freeze") {
			t.Errorf("%q, %v, %v", shown, err, other)
		}
	}
	said, err = d.Do(t.Context(), "forget", "everything about Will")
	if err != nil || !strings.HasPrefix(said, "forgot 1 memory and 0 turns") {
		t.Errorf("%q, %v", said, err)
	}
	d.Close(t.Context())
}
