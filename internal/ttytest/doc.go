// Package ttytest runs a program on a pseudo-terminal as tests meet it: it types keys,
// waits for what is printed, reads the screen as a person sees it, and says whether the
// terminal was left as it was. Nothing sleeps: a wait ends with the bytes that it is for,
// or after Patience.
package ttytest

import "time"

// Patience is how long a terminal test waits for what must come: far more than
// a loaded machine needs.
const Patience = 30 * time.Second
