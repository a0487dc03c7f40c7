package conflict

import "testing"

// TestR381Slots counts who is asked about a second value and about what ended. slots.txt was written before the rules.
func TestR381Slots(t *testing.T) {
	t.Parallel()
	should, asked, others, alarms := 0, 0, 0, 0
	for _, p := range pairs(t, "testdata/slots.txt") {
		v, _ := Read(p.b).Beside(p.a)
		got := v.Contradicts()
		switch {
		case p.want == Contradicts:
			should++
			if got {
				asked++
			} else {
				t.Logf("not asked: %q, then %q: %+v %+v", p.a, p.b, Read(p.a), Read(p.b))
			}
		default:
			others++
			if got {
				alarms++
				t.Logf("asked: %q, then %q: %+v %+v", p.a, p.b, Read(p.a), Read(p.b))
			}
		}
	}
	t.Logf("asked %d of %d; falsely %d of %d", asked, should, alarms, others)
	if asked < should || alarms > 0 {
		t.Errorf("asked %d of %d; falsely %d of %d", asked, should, alarms, others)
	}
}

// TestR381Tables: every file is read, every row of what ends has a place for what does, and no phrase is both what fills and what
// gives a value: it would be lost.
func TestR381Tables(t *testing.T) {
	t.Parallel()
	x := words()
	for _, r := range x.rows {
		n := 0
		for _, e := range r.words {
			if e.free == '^' || e.free == '~' {
				n++
			}
		}
		if n != 1 {
			t.Errorf("a row with %d places: %+v", n, r)
		}
	}
	for key, parts := range x.parts {
		for _, p := range parts {
			if p.table == "fill" && len(parts) > 1 && (token{parts: parts}).line("roles") != "" {
				t.Errorf("%q fills, and is a role: %v", key, parts)
			}
		}
	}
}

// TestR381Ends: what a text says has ended, as typed.
func TestR381Ends(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, what, by string }{
		{"Tom has left the team, Aisha reviews our schema changes now", "Tom", ""},
		{"tea is now called kettle", "tea", "kettle"},
		{"we moved from Notion to Outline", "Notion", "Outline"},
		{"Will has left", "Will", ""},
		{"will has left", "", ""},
		{"he has left", "", ""},
		{"the bug is gone", "", ""},
		{"has Tom left?", "", ""},
		{"if Tom has left the team, ask Aisha", "", ""},
		{"she said \"Tom has left the team\"", "", ""},
		{"`Tom has left the team`", "", ""},
		{"not that Tom has left", "", ""},
		{"Tom has not left", "", ""},
		{"Tom hat das Team verlassen", "Tom", ""},
		{"", "", ""},
	} {
		got := End{}
		if all := Ends(c.text); len(all) > 0 {
			got = all[0]
		}
		if got.What != c.what || got.New != c.by {
			t.Errorf("%q: %q by %q, want %q by %q", c.text, got.What, got.New, c.what, c.by)
		}
	}
}
