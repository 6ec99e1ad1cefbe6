package build

import (
	"fmt"
	"testing"
	"time"
)

func init() { trace = func(s string) { fmt.Println(time.Now().Format("05.000"), s) } }

var _ = testing.Short
