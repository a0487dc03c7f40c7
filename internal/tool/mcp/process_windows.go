package mcp

import "os/exec"

func apart(*exec.Cmd) {}

func terminate(cmd *exec.Cmd) { kill(cmd) }

func awaitGroup(*exec.Cmd) {}

func kill(cmd *exec.Cmd) { _ = cmd.Process.Kill() }
