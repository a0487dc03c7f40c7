// Package erasecmd is the command `erase`: it shows what would be erased, asks, has
// it done, and prints what a look into every file found afterwards.
//
// # Laws
//
//   - Nothing is erased without a person's yes, on a terminal or by --yes, and
//     never in the lane of a model or a tool.
//   - What only resembles the text goes by a yes of its own, which --yes is not.
//   - Text that is left is told, and is an error.
package erasecmd
