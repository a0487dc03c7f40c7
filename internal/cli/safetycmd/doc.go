// Package safetycmd is the command safety: what the person has said about command
// lines beforehand, how to take it back, and what would happen with a line.
package safetycmd
