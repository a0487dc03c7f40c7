// Package filelog is memory.Log in a file of one JSON object a line, the file
// that belongs to the person: they may read it with cat, change it with any
// editor and delete it, also while ken runs.
//
// Reading takes no lock and never fails because of a line. Appending takes the
// lock of the directory for the time of one write and one sync. What an append
// has to know of the lines before it, it reads from where the caller stopped
// reading; that those lines are still what they were is seen from the file's
// stamp if it can be, and from a sum over their bytes if not.
//
// # The head file
//
// A cold append must not read a hundred thousand lines to find the next
// number. So each append leaves a line in a derived file, the head: the stamp
// of the file behind the append, the position of its end, and the largest
// number that any line names. If the stamp is still the same, nothing else has
// to be read. The stamp is taken in such a way that every later change shows
// (jsonl.Settle), and the head may be deleted, stale or damaged at any time: it
// is believed only if it fits the file, and never asked for what a look at the
// file could not say as well.
//
// If it is given a way to make them, a log also keeps sketches of each line in
// another derived file (sketch.go), so that Lines finds the few lines that say
// something like a text, or that name something, without reading the others.
//
// # Caveats
//
// Several records of one Append are one write. If the machine loses power
// during it, the first of them may be there without the others; none of them
// was acknowledged.
//
// An editor that holds the old content and saves it takes away what was
// appended meanwhile. That is a hand edit like any other.
//
// # Reasons
//
// Adding a memory must find what says the same without reading the log. Folding the state took 300 ms at 100,000
// lines; a search for the bytes finds nothing that is near; a hash of each text finds equal texts alone. A sketch
// has 56 bits, of which each word sets one, so two texts that share most of their words differ in a few bits.
// Comparing 100,000 sketches takes half a millisecond. A sketch never hides a text that is near; it may let one
// pass that is not, and then the line is read. The head also says which lines may have a rule hold a key: a memory
// with a key is added without a look at the state unless one of these lines has to do with that key.
package filelog
