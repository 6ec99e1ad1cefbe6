// Command clickhousetest serves the real ClickHouse engine on loopback, for tests. It is
// part of no product: datakit/dbtest starts it as a child of a test.
//
// The engine is libchdb, ClickHouse 26.7 as a library. It lies in node_modules, where
// npm puts it (scripts/test-deps.sh), and is loaded without cgo.
//
//	clickhousetest -library node_modules/@chdb/lib-linux-x64-gnu/libchdb.so
//
// prints the address it serves and runs until it gets SIGTERM or SIGINT. Data are in a
// temporary folder, which it removes.
//
// # What it can do
//
//   - ClickHouse's HTTP protocol: the query in the address or in the body, data of an
//     INSERT behind it, default_format, X-ClickHouse-Format and FORMAT, database,
//     param_x, and every other argument as a setting of the query. Errors have the
//     engine's text and X-ClickHouse-Exception-Code; X-ClickHouse-Summary counts rows.
//   - github.com/ClickHouse/clickhouse-go/v2 with Protocol: clickhouse.HTTP: queries,
//     batches, parameters, settings, compression none, LZ4, ZSTD or gzip (of requests).
//   - Each request is a session of its own; many run at the same time.
//   - Users without password: default, reader (readonly = 2), readonly (readonly = 1).
//     Anyone else, and any password, is refused with code 516. GET is readonly = 2.
//   - One statement for each request, as on a server; the rest is refused with code 62,
//     INTO OUTFILE with 358.
//   - A query whose client goes, or that outlives -deadline, is killed. KILL QUERY WHERE
//     query_id = '…' finds the id that a client gave.
//
// # What it cannot do
//
//   - The native protocol, TLS, sessions (session_id), external tables, roles and users
//     that SQL makes (the engine refuses CREATE USER with code 497), PARALLEL WITH.
//   - An answer comes as a whole: there are no errors in the middle of a result, and
//     no progress in headers.
//   - Blocks of Native have no header, as at revision 0 of the protocol, which the Go
//     driver is told at its first query; other clients of Native may ask for more.
//   - system.processes shows ids of the engine's own (the client's are in
//     Settings['query_cache_tag']); there are no system.query_log and no clusters.
//   - There is no wall: file(), url() and remote() reach what this process reaches.
package main

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/quartet-mcp/quartet/clickhousetest/internal/bridge"
	"github.com/quartet-mcp/quartet/clickhousetest/internal/engine"
)

func main() {
	library := flag.String("library", "", "the engine, a file")
	address := flag.String("address", "127.0.0.1:0", "to serve")
	deadline := flag.Duration("deadline", time.Minute, "of each query")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	if err := serve(ctx, *library, *address, *deadline); err != nil {
		slog.Error("serving", "error", err)
		os.Exit(1)
	}
}

// serve runs the engine until the context ends.
func serve(ctx context.Context, library, address string, deadline time.Duration) error {
	dir, err := os.MkdirTemp("", "clickhousetest")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	e, err := engine.Open(library, dir)
	if err != nil {
		return err
	}
	handler, err := bridge.New(e, deadline)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	// Queries end with the server: their requests are cancelled.
	server := &http.Server{Handler: handler, BaseContext: func(net.Listener) context.Context { return ctx }}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	fmt.Printf("http://%s\n", listener.Addr())
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	waiting, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if err := server.Shutdown(waiting); err != nil {
		return err
	}
	e.Close()
	return nil
}
