package main

import (
	"strings"
	"testing"
)

func TestRun_ExitCodes(t *testing.T) {
	tests := []struct {
		args   string
		code   int
		stdout string
		stderr string
	}{
		{"--help", 0, "conformance record", ""},
		{"run --help", 0, "conformance record", ""},
		{"--version", 0, "conformance dev", ""},
		{"", 2, "", "no command"},
		{"rum", 2, "", `no command is named "rum"`},
		{"run --sever x", 2, "", "flag provided but not defined: -sever"},
		{"run extra", 2, "", `run takes no "extra"`},
		{"run --server nobody", 1, "", `no server is named "nobody"; the servers are echo`},
		{"record", 2, "", "record wants --server"},
		{"record --server echo", 2, "", "at least one transcript"},
		{"record --server echo testdata/none.txtar", 1, "", "none.txtar"},
	}
	for _, tt := range tests {
		t.Run(tt.args, func(t *testing.T) {
			t.Setenv("CI", "")
			var stdout, stderr strings.Builder
			if code := run(t.Context(), strings.Fields(tt.args), &stdout, &stderr); code != tt.code {
				t.Errorf("exit code %d, want %d", code, tt.code)
			}
			if !strings.Contains(stdout.String(), tt.stdout) || !strings.Contains(stderr.String(), tt.stderr) {
				t.Errorf("stdout %q, stderr %q, want %q and %q in them", stdout.String(), stderr.String(), tt.stdout, tt.stderr)
			}
			if tt.stdout == "" && stdout.Len() > 0 {
				t.Errorf("stdout %q, want nothing", stdout.String())
			}
		})
	}
}

func TestRun_RecordIsRefusedInCI(t *testing.T) {
	t.Setenv("CI", "true")
	var stdout, stderr strings.Builder
	if code := run(t.Context(), []string{"record", "--server", "echo", "x.txtar"}, &stdout, &stderr); code != 1 || !strings.Contains(stderr.String(), "refused when CI is set") {
		t.Errorf("exit code %d, stderr %q, want 1 and a refusal", code, stderr.String())
	}
}
