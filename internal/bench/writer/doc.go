// Command writer holds the memory of the home directory HOME open, as a server
// would, and adds what it reads: each line of its standard input is a text to
// remember, each line of its output the answer, "kept" or why not. It says
// "ready" first.
//
//	writer HOME
package main
