package dbtest

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

var clickhouse server

// ClickHouse makes an empty database on this process's ClickHouse server and returns
// its URL: the HTTP protocol, the user default, no password. It is a data source name
// for github.com/ClickHouse/clickhouse-go/v2 too. The database is dropped when the
// test ends.
//
// The server is the command clickhousetest, whose documentation says what it lacks.
func ClickHouse(tb testing.TB) string {
	tb.Helper()
	port := clickhouse.need(tb, "ClickHouse", startClickHouse)
	name := clickhouse.newDatabase()
	clickhouseDo(tb, port, "CREATE DATABASE "+name)
	tb.Cleanup(func() { clickhouseDo(tb, port, "DROP DATABASE "+name+" SYNC") })
	return clickhouseURL(port) + "/?database=" + name
}

func clickhouseURL(port int) string { return fmt.Sprintf("http://default@127.0.0.1:%d", port) }

func clickhouseDo(tb testing.TB, port int, statement string) {
	tb.Helper()
	if err := clickhouseAsk(clickhouseURL(port)+"/?query="+url.QueryEscape(statement), http.MethodPost); err != nil {
		tb.Fatal(err)
	}
}

// clickhouseAsk sends a request and reports an answer that is an error.
func clickhouseAsk(address, method string) error {
	request, err := http.NewRequest(method, address, nil)
	if err != nil {
		return err
	}
	request.Close = true // tests look for what is left running
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = errors.New(strings.TrimSpace(string(text)))
	}
	return err
}

func startClickHouse() (int, error) {
	module, err := clickhouseModule()
	if err != nil {
		return 0, err
	}
	library := filepath.Join(module, "node_modules", "@chdb", "lib-linux-x64-gnu", "libchdb.so")
	if _, err := os.Stat(library); err != nil {
		return 0, errors.New("its engine is not installed; `make deps` does it on Linux, amd64")
	}
	dir, err := folder(nil)
	if err != nil {
		return 0, err
	}
	bin := filepath.Join(dir, "clickhousetest")
	build := exec.Command("go", "build", "-o", bin, ".")
	build.Dir = module
	if err := runTo(build); err != nil {
		return 0, err
	}
	port, err := freePort()
	if err != nil {
		return 0, err
	}
	cmd := command(nil, syscall.SIGTERM, dir, bin, "-library", library, "-address", "127.0.0.1:"+strconv.Itoa(port))
	cmd.Env = append(os.Environ(), "TMPDIR="+dir)
	return port, serve(cmd, syscall.SIGTERM, func() error { return clickhouseAsk(clickhouseURL(port)+"/ping", http.MethodGet) })
}

// clickhouseModule is the folder of the server's source: it lies beside a folder above
// the one that a test runs in.
func clickhouseModule() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		module := filepath.Join(dir, "clickhousetest")
		if _, err := os.Stat(filepath.Join(module, "go.mod")); err == nil {
			return module, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("the folder clickhousetest is in none above this test")
		}
		dir = parent
	}
}
