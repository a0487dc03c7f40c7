//go:build !race

package battery

const raced = false
