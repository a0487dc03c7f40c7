// Package catalog has what is publicly known of the models that vendors offer: how much
// they read at once, what they cost, and where they are asked. Both are tables with a date
// and a source in every row, searched as they stand; nothing of them is read before
// somebody asks. What a server says itself goes before them.
package catalog
