package said

import "unicode/utf8"

// A class says what a word is about.
type class uint8

const (
	other    class = iota
	number         // n is its value
	year           // n is the year
	ordinal        // "8th"
	month          // n is 1 to 12
	weekday        // n is 0 for Monday to 6
	unit           // n is one of unitDay...
	season         // n is the first month of it
	toward         // "last" n is -1, "this" 0, "next" 1
	fixed          // "yesterday": n is how many days on
	ago            // "ago", "back"
	vague          // "recently"
	in             // "in", "on", "since", ...
	since          // "since"
	the            // "the", "of", "a few"
	short          // letters of no meaning here: "st", "th"
	position       // "in", "at", "to", "from", "near": may be before a place
)

const (
	unitDay = iota
	unitWeek
	unitMonth
	unitYear
	unitWeekend
	unitHour // and less
)

// A word of a text, and what it is about.
type word struct {
	class   class
	n       int32
	digits  bool // is written in them
	capital bool // begins with a capital letter
	comma   bool // the text has more than a space before it
	name    bool // is written as a name, and not as "I" is
	before  bool // may stand before a name that is spoken of: is a word, and greets nobody
}

// scanner yields the words of a text.
type scanner struct {
	text string
	at   int
}

// next reads the next word; false at the end.
func (s *scanner) next() (w word, ok bool) {
	gap := 0
	for s.at < len(s.text) && !letter(s.text[s.at]) && !digit(s.text[s.at]) {
		if s.text[s.at] != ' ' {
			gap++
		}
		s.at++
	}
	if s.at == len(s.text) {
		return word{}, false
	}
	from := s.at
	if digit(s.text[from]) {
		for s.at < len(s.text) && digit(s.text[s.at]) {
			s.at++
		}
		w = numeral(s.text[from:s.at])
		w.digits = true
		if s.at+2 <= len(s.text) && (s.at+2 == len(s.text) || !letter(s.text[s.at+2])) {
			switch s.text[s.at : s.at+2] {
			case "st", "nd", "rd", "th":
				w.class, s.at = ordinal, s.at+2
			}
		}
	} else {
		for s.at < len(s.text) && (letter(s.text[s.at]) || s.text[s.at] == '\'') {
			s.at++
		}
		w = wordOf(s.text[from:s.at])
		w.capital = s.text[from] >= 'A' && s.text[from] <= 'Z'
		w.name = w.capital && s.at-from > 1 && s.text[from+1] != '\'' && (s.text[from] != 'I' || s.text[from+1] < utf8.RuneSelf)
		w.before = !greets(s.text[from:s.at])
	}
	w.comma = gap > 0
	return w, true
}

// greets reports whether a word stands before the name of who is spoken to.
func greets(s string) bool {
	switch s {
	case "Hey", "hey", "Hi", "hi", "Hello", "hello", "Dear", "dear", "Thanks", "thanks", "Yes", "No", "Ok", "OK", "Bye", "bye", "Wow":
		return true
	}
	return false
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

// letter takes all bytes beyond ASCII for letters: no word of another script is
// cut.
func letter(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= utf8.RuneSelf
}

func numeral(s string) word {
	if len(s) > 4 {
		return word{class: number, n: 9999}
	}
	n := int32(0)
	for i := range len(s) {
		n = n*10 + int32(s[i]-'0')
	}
	if len(s) == 4 && n >= 1900 && n < 2200 {
		return word{class: year, n: n}
	}
	return word{class: number, n: n}
}

// wordOf says what a word is about.
func wordOf(s string) word {
	const longest = 12
	if len(s) > longest {
		return word{}
	}
	var buf [longest]byte
	for i := range len(s) {
		c := s[i]
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		buf[i] = c
	}
	low := buf[:len(s)]
	switch string(low) {
	case "a", "an", "one":
		return word{class: number, n: 1}
	case "two", "couple":
		return word{class: number, n: 2}
	case "three", "few":
		return word{class: number, n: 3}
	case "four", "several":
		return word{class: number, n: 4}
	case "five":
		return word{class: number, n: 5}
	case "six":
		return word{class: number, n: 6}
	case "seven":
		return word{class: number, n: 7}
	case "eight":
		return word{class: number, n: 8}
	case "nine":
		return word{class: number, n: 9}
	case "ten":
		return word{class: number, n: 10}
	case "many":
		return word{class: number, n: 9999}
	case "yesterday":
		return word{class: fixed, n: -1}
	case "today", "tonight":
		return word{class: fixed, n: 0}
	case "tomorrow":
		return word{class: fixed, n: 1}
	case "last", "past", "previous":
		return word{class: toward, n: -1}
	case "this":
		return word{class: toward, n: 0}
	case "next", "coming":
		return word{class: toward, n: 1}
	case "ago", "back":
		return word{class: ago}
	case "recently", "lately":
		return word{class: vague}
	case "in", "at", "to", "from", "near":
		return word{class: position}
	case "on", "until", "by", "early", "late", "mid", "during":
		return word{class: in}
	case "since":
		return word{class: since}
	case "the", "of":
		return word{class: the}
	}
	return calendar(low)
}

// calendar goes on where wordOf ends: units, seasons, days and months.
func calendar(low []byte) word {
	switch string(low) {
	case "day", "days", "night", "nights", "morning", "afternoon", "evening":
		return word{class: unit, n: unitDay}
	case "week", "weeks":
		return word{class: unit, n: unitWeek}
	case "month", "months":
		return word{class: unit, n: unitMonth}
	case "year", "years", "yr", "yrs":
		return word{class: unit, n: unitYear}
	case "weekend", "weekends":
		return word{class: unit, n: unitWeekend}
	case "hour", "hours", "minute", "minutes", "second", "seconds":
		return word{class: unit, n: unitHour}
	case "spring":
		return word{class: season, n: 3}
	case "summer":
		return word{class: season, n: 6}
	case "fall", "autumn":
		return word{class: season, n: 9}
	case "winter":
		return word{class: season, n: 12}
	case "monday", "mondays":
		return word{class: weekday, n: 0}
	case "tuesday", "tuesdays":
		return word{class: weekday, n: 1}
	case "wednesday", "wednesdays":
		return word{class: weekday, n: 2}
	case "thursday", "thursdays":
		return word{class: weekday, n: 3}
	case "friday", "fridays":
		return word{class: weekday, n: 4}
	case "saturday", "saturdays":
		return word{class: weekday, n: 5}
	case "sunday", "sundays":
		return word{class: weekday, n: 6}
	case "jan", "january":
		return word{class: month, n: 1}
	case "feb", "february":
		return word{class: month, n: 2}
	case "mar", "march":
		return word{class: month, n: 3}
	case "apr", "april":
		return word{class: month, n: 4}
	case "may":
		return word{class: month, n: 5}
	case "jun", "june":
		return word{class: month, n: 6}
	case "jul", "july":
		return word{class: month, n: 7}
	case "aug", "august":
		return word{class: month, n: 8}
	case "sep", "sept", "september":
		return word{class: month, n: 9}
	case "oct", "october":
		return word{class: month, n: 10}
	case "nov", "november":
		return word{class: month, n: 11}
	case "dec", "december":
		return word{class: month, n: 12}
	}
	return word{}
}
