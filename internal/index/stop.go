package index

// isStop reports whether a folded word carries no meaning by itself: it says how
// other words hang together, or that something is asked.
func isStop(w string) bool {
	switch w {
	case "a", "an", "the", "this", "that", "these", "those", "there", "here",
		"i", "me", "my", "mine", "we", "us", "our", "ours", "you", "your", "yours",
		"he", "him", "his", "she", "her", "hers", "it", "its", "they", "them", "their", "theirs",
		"myself", "yourself", "himself", "herself", "itself", "ourselves", "themselves",
		"who", "whom", "whose", "which", "what", "when", "where", "why", "how",
		"am", "is", "are", "was", "were", "be", "been", "being",
		"do", "does", "did", "done", "doing", "have", "has", "had", "having",
		"can", "could", "shall", "should", "will", "would", "may", "might", "must",
		"and", "or", "but", "nor", "so", "if", "then", "than", "because", "while", "although",
		"of", "at", "by", "for", "with", "about", "against", "between", "into", "through", "during",
		"to", "from", "in", "on", "off", "out", "over", "under", "up", "down", "as",
		"again", "also", "just", "only", "very", "too", "such", "both", "each", "any", "some", "all",
		"no", "not", "own", "same", "other", "more", "most", "ever",
		"i'm", "i've", "i'd", "i'll", "you're", "you've", "you'd", "you'll", "we're", "we've", "we'd", "we'll",
		"he'd", "he'll", "she'd", "she'll", "it'll", "they're", "they've", "they'd", "they'll",
		"don't", "doesn't", "didn't", "isn't", "aren't", "wasn't", "weren't", "haven't", "hasn't", "hadn't",
		"can't", "couldn't", "won't", "wouldn't", "shouldn't",
		"s", "t", "d", "m", "re", "ve", "ll":
		return true
	}
	return false
}
