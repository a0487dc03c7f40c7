package conflict

import "testing"

// TestR381Slots counts who is asked about a second value and about what ended. slots.txt was written before the rules.
func TestR381Slots(t *testing.T) {
	t.Parallel()
	should, asked, others, alarms := 0, 0, 0, 0
	for _, p := range pairs(t, "testdata/slots.txt") {
		v, _ := Read(p.b).Against(p.a)
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
