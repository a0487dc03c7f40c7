// Package oauth signs the person in to tool servers that are at an address and want it, and keeps what that gave.
//
// A Login is the handler that the protocol's library asks for a token before a request and tells of an answer 401 or 403.
// The library finds who signs in, registers ken there and exchanges the code; here is what it leaves to a program: whom it
// believes, where the browser comes back to, what is kept, and who is asked.
//
// # Laws
//
//   - A token, and the code for one, go to the server that they are for, and to who gave them out. What a server names is
//     asked over https, never on this machine unless the server is here as well, and where its own metadata stands is
//     under its own address.
//   - Nobody is asked but where Options.Person says that they can be, once for each. No browser is opened here.
//   - An answer counts only with the state of the question. What comes from the network is bounded in size and time.
//   - No error has a token in it, nor anything else that was in the answer of who gives them out, but for its error code.
//   - Two programs that renew one login at once do it one after the other: what is renewed twice is often taken back.
package oauth
