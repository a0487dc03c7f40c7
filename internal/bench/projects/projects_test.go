package projects

import "testing"

func TestShow(t *testing.T) {
	s, err := load("testdata")
	if err != nil {
		t.Fatal(err)
	}
	a, err := s.ask(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Log("\n" + table(a) + "\n" + wrong(s, a))
}
