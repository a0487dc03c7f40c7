// Package edit replaces one piece of a text by another, as a model asks for it, and
// says in words what came of it. It works on texts alone: no file is read or written.
//
// # The ladder
//
// A model quotes what it read, and small ones quote it badly. Replace tries in turn:
//
//  1. the quoted text as it stands, which must be there once, or any number of times
//     with All;
//  2. whole lines, blank ones at both ends left out: but for space at their ends; with
//     line numbers taken off; the same with one space more; but for their indentation;
//     with plain quotes, dashes and spaces for typographic ones;
//  3. the quoted text with \n, \t, \" and \\ read as what they stand for.
//
// The first rung that finds it decides. On rung 2 and 3 it must stand in exactly one
// place, and on rung 2 the quoted lines must have twelve letters or digits together.
//
// A new line that equals a quoted one is the line of the text, byte for byte. Others get
// the indentation that the text has where the quote has theirs.
//
// # Laws
//
//   - What is refused changes nothing; the refusal says what to do (Refusal.Answer).
//   - What is replaced changes the place and nothing else: a byte order mark and the end
//     of every other line stay, and new lines end as most lines of the text do.
//   - No rung chooses between two places or two readings: it refuses.
//
// # Caveats
//
// The text must be UTF-8, and lines end in \n or \r\n: a \r alone is a character.
//
// # Reasons
//
// Models that were not trained on patches get them wrong, lines by number help some models and hurt others, and
// whole files lose what a model does not repeat. An exact search alone fails small models, which quote tabs as
// spaces and drop indentation; the ladder makes 98 to 100 in a hundred of such edits. Likeness is not used,
// because a quote with a line left out is as near to the text as one with a typing mistake. Of 30,000 made-up
// edits (make bench-edits) none was made wrong.
package edit
