// Command conformance replays recorded conversations against the servers of
// this repository, and records new ones.
//
//	conformance run [--server NAME] [--bin DIR] [--junit FILE]
//	conformance record --server NAME [--bin DIR] FILE.txtar...
//
// run exits with 1 when anything fails, with 2 when it was called wrongly.
// record fills the answers into transcripts that hold prose and the sections
// start and send; it refuses when CI is set.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/quartet-mcp/quartet/conformance"
)

const usage = `usage:
  conformance run [--server NAME] [--bin DIR] [--junit FILE]
        replays the transcripts of the servers, in both protocol eras
  conformance record --server NAME [--bin DIR] FILE.txtar...
        fills the server's answers into transcripts
  conformance --version | --help

Without --bin the servers are built from the tree. All of it has to be started
inside the repository.
`

var version = "dev" // set when it is built for distribution

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// errUsage marks a wrong call.
var errUsage = errors.New("see conformance --help")

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	err := command(ctx, args, stdout)
	switch {
	case err == nil:
		return 0
	case errors.Is(err, errFailed):
		return 1
	case errors.Is(err, errUsage):
		fmt.Fprintln(stderr, "conformance:", err)
		return 2
	}
	fmt.Fprintln(stderr, "conformance:", err)
	return 1
}

// errFailed says that the table has told what is wrong.
var errFailed = errors.New("some transcripts failed")

func command(ctx context.Context, args []string, stdout io.Writer) error {
	if len(args) == 0 {
		return fmt.Errorf("no command; %w", errUsage)
	}
	var o conformance.Options
	flags := flag.NewFlagSet(args[0], flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&o.Server, "server", "", "")
	flags.StringVar(&o.Bin, "bin", "", "")
	junit := flags.String("junit", "", "")
	switch args[0] {
	case "-h", "--help", "help":
		_, err := io.WriteString(stdout, usage)
		return err
	case "--version", "version":
		_, err := fmt.Fprintln(stdout, "conformance", version)
		return err
	case "run", "record":
	default:
		return fmt.Errorf("no command is named %q; %w", args[0], errUsage)
	}
	err := flags.Parse(args[1:])
	if errors.Is(err, flag.ErrHelp) {
		_, err := io.WriteString(stdout, usage)
		return err
	}
	if err != nil {
		return fmt.Errorf("%w; %w", err, errUsage)
	}
	if o.Root, err = conformance.Root("."); err != nil {
		return err
	}
	if args[0] == "record" {
		return record(ctx, o, flags.Args(), stdout)
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("run takes no %q; %w", flags.Arg(0), errUsage)
	}
	return replay(ctx, o, *junit, stdout)
}

func replay(ctx context.Context, o conformance.Options, junit string, stdout io.Writer) error {
	reports, err := conformance.Run(ctx, o)
	if err != nil {
		return err
	}
	if err := conformance.WriteTable(stdout, reports); err != nil {
		return err
	}
	if junit != "" {
		if err := writeFile(junit, reports); err != nil {
			return err
		}
	}
	for _, r := range reports {
		if r.Failed() {
			return errFailed
		}
	}
	return nil
}

func writeFile(name string, reports []conformance.Report) (err error) {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer func() {
		if e := f.Close(); err == nil {
			err = e
		}
	}()
	return conformance.WriteJUnit(f, reports)
}

func record(ctx context.Context, o conformance.Options, files []string, stdout io.Writer) error {
	if os.Getenv("CI") != "" {
		return errors.New("record is refused when CI is set: a recording has to be read before it is committed")
	}
	if o.Server == "" || len(files) == 0 {
		return fmt.Errorf("record wants --server and at least one transcript; %w", errUsage)
	}
	for _, file := range files {
		if err := conformance.Record(ctx, o, file); err != nil {
			return err
		}
		if _, err := fmt.Fprintln(stdout, "recorded", file); err != nil {
			return err
		}
	}
	return nil
}
