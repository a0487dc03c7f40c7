// Package account is what a model did in a conversation, item by item, as the session has it.
package account
