// Package wire reads what chat servers write: the events of a stream, the JSON
// inside them, and the many shapes of an error. It knows no HTTP and no
// conversation, and it never fails on what a server sends: what cannot be read
// is an event that says so.
//
// JSON is looked into where it stands. An event is checked once, as a whole;
// after that its fields are found by walking, without decoding what nobody asks
// for. Names are case-sensitive. Of two fields with one name the last wins.
package wire
