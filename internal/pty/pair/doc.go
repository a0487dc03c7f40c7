// Package pair opens the two ends of a pseudo-terminal, and starts programs on one.
//
// On Linux the second end comes from the first and not by its name: while another
// process asks for a name under /dev/pts that is just being made, the name can be
// missing for the one that made it.
package pair
