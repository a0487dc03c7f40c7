// Package memories is the tools by which a model asks a person's memory, and proposes to it.
//
// What is asked is answered as it is at the moment. What is proposed waits for the person: nothing that a model asks
// for becomes memory.
package memories
