package mem

import (
	"bufio"
	"bytes"
	"fmt"
	"io/fs"
	"math"
	"path"
	"strconv"
	"strings"
)

// unknownMemory is taken for the memory of a machine that does not say.
const unknownMemory = 4 << 30

// Available returns how many bytes this process may use: the machine's memory,
// or the limit of the control group it runs in, if that is lower. root is the
// root of the file system; systems without /proc get 4 GiB.
func Available(root fs.FS) int64 {
	n := total(root)
	if g := groupLimit(root); g > 0 && g < n {
		n = g
	}
	return n
}

func total(root fs.FS) int64 {
	data, err := fs.ReadFile(root, "proc/meminfo")
	if err != nil {
		return unknownMemory
	}
	for s := bufio.NewScanner(bytes.NewReader(data)); s.Scan(); {
		var kB int64
		if n, _ := fmt.Sscanf(s.Text(), "MemTotal: %d kB", &kB); n == 1 {
			return kB << 10
		}
	}
	return unknownMemory
}

// groupLimit returns the lowest memory limit of the process's control group and
// those above it, 0 if there is none. Version 2 keeps it in memory.max, version 1
// in memory.limit_in_bytes of the memory controller.
func groupLimit(root fs.FS) int64 {
	data, err := fs.ReadFile(root, "proc/self/cgroup")
	if err != nil {
		return 0
	}
	low := int64(math.MaxInt64)
	for s := bufio.NewScanner(bytes.NewReader(data)); s.Scan(); {
		parts := strings.SplitN(s.Text(), ":", 3) // id:controllers:path
		if len(parts) != 3 {
			continue
		}
		dir, file := "sys/fs/cgroup", "memory.max"
		if parts[1] != "" {
			if !strings.Contains(","+parts[1]+",", ",memory,") {
				continue
			}
			dir, file = "sys/fs/cgroup/memory", "memory.limit_in_bytes"
		}
		for p := path.Clean("/" + parts[2]); ; p = path.Dir(p) {
			text, err := fs.ReadFile(root, path.Join(dir, p, file))
			if err == nil {
				if n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil {
					low = min(low, n)
				}
			}
			if p == "/" {
				break
			}
		}
	}
	// Version 1 writes a number near the maximum for "no limit".
	if low > 1<<60 {
		return 0
	}
	return low
}

// ParseSize reads a number of bytes as a person writes it: 2GB, 512MiB, 1.5 GB,
// 4096. Decimal units count in thousands, binary ones in 1,024s; case does not
// matter. It must come to at least one byte.
func ParseSize(s string) (int64, error) {
	text := strings.ToLower(strings.TrimSpace(s))
	i := strings.IndexFunc(text, func(r rune) bool { return (r < '0' || r > '9') && r != '.' })
	if i < 0 {
		i = len(text)
	}
	factor, ok := map[string]float64{
		"": 1, "b": 1,
		"k": 1e3, "kb": 1e3, "m": 1e6, "mb": 1e6, "g": 1e9, "gb": 1e9, "t": 1e12, "tb": 1e12,
		"kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30, "tib": 1 << 40,
	}[strings.TrimSpace(text[i:])]
	n, err := strconv.ParseFloat(text[:i], 64)
	if err != nil || !ok || n*factor < 1 || n*factor >= math.MaxInt64 {
		return 0, fmt.Errorf("%q is no size; write for example 500MB, 2GB or 4GiB", s)
	}
	return int64(n * factor), nil
}
