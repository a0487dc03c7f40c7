// Package changes is the tools by which a model reads, searches and changes files.
//
// A change is planned and shown before it is made, and can be taken back: what the file held is kept, and the session
// has the change, before a byte is written.
package changes
