// Package said reads the times that a text speaks of: "last week", said on the
// 8th of May, is the week before; "in June 2023" is that June. Texts are read once,
// when they are indexed, so it is a scanner over words without a pattern engine.
// It reads no clock.
//
// # Caveats
//
// Words and forms are English. Of several times that a text names, one counts: the
// first relative one, else the first date. A month without a year is that of the
// year in which the text was written. "may" and "march" count as months only where
// they are written with a capital or a number stands beside them.
package said
