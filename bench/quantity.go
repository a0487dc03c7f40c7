//go:build unix

package main

import (
	"time"

	"ken/internal/bench/paired"
)

// What is measured. The unit is that of the numbers.
const (
	wallMS       paired.Quantity = "wall, ms"
	cpuMS        paired.Quantity = "CPU, user and system, ms"
	requestMS    paired.Quantity = "start to request, ms"
	exitMS       paired.Quantity = "end of stream to exit, ms"
	promptMS     paired.Quantity = "start to prompt, ms"
	visibleP50MS paired.Quantity = "sent to visible, p50, ms"
	visibleP99MS paired.Quantity = "sent to visible, p99, ms"
	addMS        paired.Quantity = "add, ms"
	peakMB       paired.Quantity = "peak memory, MB"
	calls        paired.Quantity = "system calls"
	bodyBytes    paired.Quantity = "request, bytes"
	earlyUS      paired.Quantity = "CPU per token of a short stream, us"
	lateUS       paired.Quantity = "CPU per token of a long stream, us"
	keptPart     paired.Quantity = "kept of what was acknowledged, %"
	eachUS       paired.Quantity = "wall, each, us"
	eachCPUUS    paired.Quantity = "CPU, each, us"
	indexPart    paired.Quantity = "index, of the memory's bytes, %"
	files        paired.Quantity = "files looked into"
	initMS       paired.Quantity = "package initialisers, ms"
	longSec      paired.Quantity = "long stream, s"
)

func ms(d time.Duration) float64 { return float64(d) / 1e6 }
