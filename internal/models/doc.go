// Package models knows the models that can be asked, and which of them is in force:
// chosen in this run, chosen by the settings, the first of the file, named by the
// environment, or found on this machine. It makes the chain of those that answer a
// question, the ones behind the first asked where no token has come yet, and says what
// may go to a model that the person has not named.
package models
