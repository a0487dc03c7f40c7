package session

// eventShortened has results, rounds, most and until: what of the turns is sent shorter from there on, a Shortened.
const eventShortened = "shortened"

// A Shortened says what of the calls of a model, and of what came of them, is sent shorter, to make room. The turns keep
// their lines. The zero Shortened is all as it was.
type Shortened struct {
	Results int // what came of calls, up to this turn, is named and no more
	Rounds  int // calls with what came of them, up to this turn, are left out
	Most    int // tokens of each text of a call and of what came of it, up to turn Until; 0: any
	Until   int
}

// Event is the line that says so.
func (s Shortened) Event() Event {
	e := Event{Name: eventShortened}
	for _, f := range []struct {
		name  string
		value int
	}{{"results", s.Results}, {"rounds", s.Rounds}, {"most", s.Most}, {"until", s.Until}} {
		if f.value > 0 {
			e.Fields = append(e.Fields, IntField(f.name, f.value))
		}
	}
	return e
}

// shortened is what a line says.
func shortened(e Event) Shortened {
	return Shortened{Results: e.Int("results"), Rounds: e.Int("rounds"), Most: e.Int("most"), Until: e.Int("until")}
}
