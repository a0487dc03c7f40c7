// Package retrospect has the command that looks back at what became of answers, and keeps what the person learned of it.
package retrospect
