// Package memory holds the commands on memory: remember, forget, erase, undo, why,
// extract, and those below `ken memory`. Each is flags, one call of what stands below,
// and what is said of it. What a memory looks like is package view's, what it means the
// domain's package memory's; how memories age is lifecycle's and upkeep's, what a scan
// finds scan's, how a conversation is read learn's, what is erased scrub's.
//
// # Laws
//
//   - Nothing is erased without a person's yes, on a terminal or by --yes, and
//     never in the lane of a model or a tool.
//   - What only resembles the text goes by a yes of its own, which --yes is not.
//   - Text that is left is reported, and is an error.
package memory
