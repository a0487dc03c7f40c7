// Package masking measures what masking finds in a corpus of texts whose secrets
// are known, kind by kind, and what it takes to do so.
//
// A corpus is lines of JSON, one for each text. Text and secret are in base64, so
// that no scanner takes a corpus for a leak:
//
//	{"id":"1","label":"secret","kind":"card","text_b64":"...","secret_b64":"..."}
//	{"id":"2","label":"benign","kind":"uuid","text_b64":"..."}
package masking
