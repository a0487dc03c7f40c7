// Package loop is what a model acts with in a conversation: which tools it is offered here, and what
// comes of its calls.
//
// A call is read (package tool), judged with what it would touch, asked about where it has to be
// (package runner), done, and answered in so many words as there is room for. The memory is read
// as it is at the moment, and written only as a proposal that waits for the person.
//
// # Laws
//
//   - Every call has one result, in the order of the calls: declined, unknown, broken and interrupted
//     ones as well.
//   - What is not safe is done only after a yes of the person to exactly that, or one that they gave for
//     the session.
//   - Nothing that a model asks for becomes memory.
//   - Results leave clean and masked.
//   - A change of a file is planned and shown before it is made, and can be taken back.
package loop
