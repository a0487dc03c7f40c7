package place

import "golang.org/x/sys/windows"

// osName is Windows with its version. From build 22000 on it is called 11, and says 10.
func osName(string) string {
	v := windows.RtlGetVersion()
	switch {
	case v.MajorVersion == 10 && v.BuildNumber >= 22000:
		return "Windows 11"
	case v.MajorVersion == 10:
		return "Windows 10"
	}
	return "Windows"
}
