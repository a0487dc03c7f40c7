// Package discover asks servers which models they have.
package discover
