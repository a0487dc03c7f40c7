package risk

// A Rule is the part of a remembered rule that can be checked. It raises a level
// and never lowers one.
type Rule struct {
	Match  []string // words that a simple command begins with; "*" last: and anything after
	Unless string   // a word or assignment that makes the rule not apply; "" for none
	Raise  Level    // Caution or Danger
}
