// Package redact finds secrets in text and puts placeholders in their place:
// tokens by the form their issuers gave them, and what people type, by what
// stands around it.
package redact
