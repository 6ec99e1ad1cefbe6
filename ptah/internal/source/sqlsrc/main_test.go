package sqlsrc

import (
	"os"
	"testing"

	"github.com/quartet-mcp/quartet/datakit/dbtest"
)

func TestMain(m *testing.M) { os.Exit(dbtest.Main(m)) }
