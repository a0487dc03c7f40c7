// Package paired measures several things turn by turn, A B B A, and prints what
// came out beside the goals. Machines drift: what ran first and what ran last
// cannot be compared, what ran side by side can.
//
// It knows nothing of what is measured: a Trial is a function that gives numbers.
package paired
