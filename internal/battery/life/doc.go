// Package life measures whether learning helps: thirty conversations of one person with a model that makes the same mistakes, with
// what ken learns of them and without.
//
// The model is a script. It knows ten jobs of a repository, each by a wrong command and by the right one, and says the right one only if
// that is in what it was sent. So what is measured is ken: whether a lesson is made of a correction, and stands in front of the next
// question that needs it, though that is asked in other words. The person is a script as well, at a real terminal: they correct what is
// wrong, and take what ken proposes at the end of a day.
//
// What is counted: mistakes, those that were made before, the tokens of requests that led to one, and what of all that was proposed is
// about none of the jobs (junk).
package life
