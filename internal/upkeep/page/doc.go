// Package page writes MEMORY.md, the generated page, and keeps the pages that are there
// like the memory. A page is made from the memory and never read. One of a repository
// has its memories alone, is never written through a link, and never over a file that
// ken did not make.
package page
