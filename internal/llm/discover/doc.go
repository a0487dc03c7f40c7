// Package discover looks for a model that already runs on this machine: a
// server with the OpenAI-compatible interface on one of the ports that the usual
// local ones take, which lists at least one model.
//
// Models is another matter: it asks the server that a person has named, wherever
// that is, for its list, when a person wants to know whether it can be reached.
//
// # Laws
//
// of looking:
//
//   - Only this machine is spoken to. What is dialled is a loopback address,
//     whatever a name resolves to; redirects are not followed and no proxy is
//     taken.
//   - Nothing of a person's is sent: one GET without a key, without a cookie and
//     without a password that an address may hold.
//   - Looking ends within the time given, whatever a server does or leaves undone,
//     and nothing of it is left running.
//   - The name of a model that is given is one printable line.
//
// # Caveats
//
// That a program listens on a port of the loopback does not say whose it is: on
// a machine with several people it may be another one's. Whoever uses what was
// found says so, with the address.
//
// Only 127.0.0.1 is looked at by itself; a server that listens on ::1 alone is
// found where its address is named.
package discover
