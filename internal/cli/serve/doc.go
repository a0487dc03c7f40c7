// Package serve is the commands by which other programs come to the memory: the server for other
// assistants. They only start faces, which decide nothing.
package serve
