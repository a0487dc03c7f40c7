// Package ageing says to people and programs what is to become of memories with time:
// plans and what they came to, policies with what is wrong in them, a memory in numbers,
// and what is made of it: its page and its vectors.
//
// Texts of memories and policies come in through clean, which masks a text and makes one
// line of it.
package ageing
