// Package dates reads times and spans of time as people write them: days, months
// and years of the calendar where they are, moments with a zone, and lives like
// 30d. It reads no clock.
//
// # Caveats
//
// A day begins at midnight where the person is, and may have 23 or 25 hours.
// Midnight that a change of the clocks leaves out is the first moment after it.
package dates
