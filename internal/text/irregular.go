package text

// regular is the dictionary form of a word whose forms no ending tells: the verbs
// and nouns of English that are irregular and common. Any other word is its own.
//
// Forms that are more often another word are left out ("ground", "rose", "lay",
// "wound").
func regular(w string) string {
	switch w {
	case "ate", "eaten":
		return "eat"
	case "became":
		return "become"
	case "began", "begun":
		return "begin"
	case "bit", "bitten":
		return "bite"
	case "blew", "blown":
		return "blow"
	case "bought":
		return "buy"
	case "broke", "broken":
		return "break"
	case "brought":
		return "bring"
	case "built":
		return "build"
	case "came":
		return "come"
	case "caught":
		return "catch"
	case "chose", "chosen":
		return "choose"
	case "dealt":
		return "deal"
	case "drank", "drunk":
		return "drink"
	case "drew", "drawn":
		return "draw"
	case "drove", "driven":
		return "drive"
	case "fed":
		return "feed"
	case "fell", "fallen":
		return "fall"
	case "felt":
		return "feel"
	case "flew", "flown":
		return "fly"
	case "forgot", "forgotten":
		return "forget"
	case "fought":
		return "fight"
	case "found":
		return "find"
	case "froze", "frozen":
		return "freeze"
	case "gave", "given":
		return "give"
	case "got", "gotten":
		return "get"
	case "grew", "grown":
		return "grow"
	case "heard":
		return "hear"
	case "held":
		return "hold"
	case "hid", "hidden":
		return "hide"
	case "hung":
		return "hang"
	case "kept":
		return "keep"
	case "knew", "known":
		return "know"
	case "led":
		return "lead"
	case "left":
		return "leave"
	case "lent":
		return "lend"
	case "lost":
		return "lose"
	case "made":
		return "make"
	case "meant":
		return "mean"
	case "met":
		return "meet"
	case "paid":
		return "pay"
	case "ran":
		return "run"
	case "rang", "rung":
		return "ring"
	case "rode", "ridden":
		return "ride"
	case "said":
		return "say"
	case "sang", "sung":
		return "sing"
	case "sank", "sunk":
		return "sink"
	case "sat":
		return "sit"
	case "saw", "seen":
		return "see"
	case "sent":
		return "send"
	case "shook", "shaken":
		return "shake"
	case "shot":
		return "shoot"
	case "shown":
		return "show"
	case "slept":
		return "sleep"
	case "sold":
		return "sell"
	case "sought":
		return "seek"
	case "spent":
		return "spend"
	case "spoke", "spoken":
		return "speak"
	case "stole", "stolen":
		return "steal"
	case "stood":
		return "stand"
	case "stuck":
		return "stick"
	case "swam", "swum":
		return "swim"
	case "taught":
		return "teach"
	default:
		return regularToo(w)
	}
}

// regularToo goes on where regular ends.
func regularToo(w string) string {
	switch w {
	case "thought":
		return "think"
	case "threw", "thrown":
		return "throw"
	case "told":
		return "tell"
	case "took", "taken":
		return "take"
	case "tore", "torn":
		return "tear"
	case "understood":
		return "understand"
	case "went", "gone":
		return "go"
	case "woke", "woken":
		return "wake"
	case "won":
		return "win"
	case "wore", "worn":
		return "wear"
	case "wrote", "written":
		return "write"

	case "children":
		return "child"
	case "feet":
		return "foot"
	case "halves":
		return "half"
	case "knives":
		return "knife"
	case "lives":
		return "life"
	case "men":
		return "man"
	case "mice":
		return "mouse"
	case "people":
		return "person"
	case "shelves":
		return "shelf"
	case "teeth":
		return "tooth"
	case "wives":
		return "wife"
	case "wolves":
		return "wolf"
	case "women":
		return "woman"
	}
	return w
}
