// Package schema makes what a tool server says of its tools fit for models: names that all
// endpoints take, parameters that every grammar is made of, and descriptions that say nothing
// in a voice of their own.
//
// # Laws
//
//   - A name that Wire returns is 1 to 64 of [a-zA-Z0-9_-], does not begin with a digit or a
//     dash, and is the same for the same server and tool.
//   - Parameters that Clean returns hold type, description, enum, properties, required and items and
//     nothing else; each has a description; no object is without properties, and objects are
//     three deep at most. The same schema gives the same bytes.
//   - Nothing is fetched: a reference that leaves the schema says nothing.
//   - Restore changes no argument whose type the schema allows.
package schema
