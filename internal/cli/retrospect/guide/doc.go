// Package guide is the part of a look back that asks: what is wrong or stale, what was seen as drafts, and what is to be done
// otherwise, in the person's own words.
package guide
