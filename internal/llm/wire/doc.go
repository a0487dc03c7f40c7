// Package wire reads what chat servers write: the events of a stream, the JSON
// inside them, and the many shapes of an error. It knows no HTTP and no
// conversation, and it never fails on what a server sends: what cannot be read
// is an event that says so.
//
// JSON is looked into where it stands. An event is checked once, as a whole;
// after that its fields are found by walking, without decoding what nobody asks
// for. Names are case-sensitive. Of two fields with one name the last wins.
//
// # Reasons
//
// No client library of a vendor is used. "OpenAI-compatible" servers differ in line ends, comments, missing
// fields, the numbering of tool calls, and most of all in how they report an error. Four Go clients handled 30 to
// 36 of fifty streams modelled on real servers. Several of them returned an error that came with status 200 as an
// empty success, or merged two tool calls into one. The fifty streams are vectors in testdata/vectors/streams. A
// new shape becomes a vector before it is fixed.
package wire
