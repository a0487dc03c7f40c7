package run

import "ken/internal/tool/lane"

// Enter has to come before all else that a program does whose models run commands: see lane.Enter.
func Enter(args []string) error { return lane.Enter(args) }
