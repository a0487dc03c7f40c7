package port

// A Holding is how a memory stands at a place, in numbers.
type Holding struct {
	On      bool   `json:"on"`      // false: the person has switched memory off
	Active  int    `json:"active"`  // memories that stand
	Here    int    `json:"here"`    // of them hold at the place
	Waiting int    `json:"waiting"` // suggestions that the person has not decided on
	Mine    int    `json:"mine"`    // of them are of whoever asks
	Scope   string `json:"scope"`   // of the place
}
