// Package synthesis proposes what several memories come to. It reads the memory of one
// moment, has package synth group what is recent and check what a model says of the groups,
// and puts what passes into the queue. Nothing of it is memory before a person says yes.
//
// # Laws
//
//   - A model is asked only by Ask, which a person began.
//   - It is shown memories that hold here, that may enter a prompt, and that hold no secret.
//   - What is proposed cites memories that stand as they were shown when it is proposed.
//   - All of it is proposed by one append: who is stopped has proposed all or nothing.
//   - What waits, was refused or is known is not proposed again, nor in other words.
package synthesis
