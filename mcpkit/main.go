package mcpkit

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
)

// Flags are the command-line flags that every server of this kind has. Use them
// when a program has flags of its own or builds its server from them:
//
//	flags := mcpkit.Flags{Paths: []string{"root"}}
//	set := flag.NewFlagSet("weather", flag.ContinueOnError)
//	root := set.String("root", ".", "the data `folder`")
//	flags.Register(set)
//	if code, done := flags.Parse(set, info, os.Args[1:]); done {
//		os.Exit(code)
//	}
//	os.Exit(flags.Run(context.Background(), newServer(info, *root)))
//
// A program without any of that calls [Main].
type Flags struct {
	// What the command line said.
	Transport       string
	Addr            string
	LogLevel        slog.Level // default warn
	NoOutputSchemas bool

	// Set these before Parse.

	// Paths names flags that hold a file or folder. --print-config makes them
	// absolute, because a client starts the server in a folder of its own, and
	// writes them also when they have their default.
	Paths []string
	// Command is what comes before the flags, such as a subcommand.
	Command []string
	// Positional allows arguments that are no flags.
	Positional bool
	// TokenEnv names the environment variable with the bearer token for HTTP;
	// empty means the name of the server in upper case, then _HTTP_TOKEN.
	TokenEnv string
	// HTTP holds what else the flags do not say about HTTP. Addr and Token
	// are filled in.
	HTTP HTTPOptions

	client  string
	version bool
	info    Info
}

// Register defines the flags --transport, --addr, --log-level, --version,
// --print-config and --no-output-schemas on set.
func (f *Flags) Register(set *flag.FlagSet) {
	f.LogLevel = slog.LevelWarn
	set.StringVar(&f.Transport, "transport", "stdio", "how clients connect: `stdio|http`")
	set.StringVar(&f.Addr, "addr", HTTPOptions{}.withDefaults().Addr, "`host:port` to serve HTTP on; off loopback a bearer token is required")
	set.TextVar(&f.LogLevel, "log-level", f.LogLevel, "`level` of the log on standard error: debug, info, warn, error")
	set.BoolVar(&f.NoOutputSchemas, "no-output-schemas", false, "leave the output schemas out of the tool list")
	set.StringVar(&f.client, "print-config", "", "print the configuration for a `client` and exit: "+strings.Join(clients(), ", "))
	set.BoolVar(&f.version, "version", false, "print the version and exit")
}

// Parse parses args, without the program name, with a set that the flags are
// registered on. When done is true the program ends with the exit code: 0 after
// --help, --version or --print-config, which print to standard output, and 2
// after a mistake, which is named on standard error.
func (f *Flags) Parse(set *flag.FlagSet, info Info, args []string) (code int, done bool) {
	return f.parse(set, info, args, os.Stdout, os.Stderr)
}

func (f *Flags) parse(set *flag.FlagSet, info Info, args []string, stdout, stderr io.Writer) (code int, done bool) {
	f.info = info
	if f.TokenEnv == "" {
		f.TokenEnv = strings.ToUpper(strings.ReplaceAll(info.Name, "-", "_")) + "_HTTP_TOKEN"
	}
	set.Init(set.Name(), flag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.Usage = func() {}
	fail := func(err error) (int, bool) {
		fmt.Fprintf(stderr, "%s: %v\nRun %s --help for the flags.\n", set.Name(), err, set.Name())
		return 2, true
	}
	if err := set.Parse(args); errors.Is(err, flag.ErrHelp) {
		f.help(set, stdout)
		return 0, true
	} else if err != nil {
		return fail(err)
	}
	if set.NArg() > 0 && !f.Positional {
		return fail(fmt.Errorf("unexpected argument %q", set.Arg(0)))
	}
	if f.version {
		fmt.Fprintf(stdout, "%s %s\n", info.Name, info.Version)
		return 0, true
	}
	if f.client != "" {
		text, err := f.config(set, args)
		if err != nil {
			return fail(err)
		}
		if _, err := io.WriteString(stdout, text); err != nil {
			return fail(fmt.Errorf("printing the configuration: %w", err))
		}
		return 0, true
	}
	if err := f.Check(); err != nil {
		return fail(err)
	}
	return 0, false
}

// Check refuses flags that no server can run with: a transport that does not exist,
// and an address off loopback without a token. A program that does not call
// [Flags.Parse], which includes it, calls it before [Flags.Run]; it sets TokenEnv.
func (f *Flags) Check() error {
	switch f.Transport {
	case "stdio":
		return nil
	case "http":
		if err := f.options().HTTP.withDefaults().check(); err != nil {
			return fmt.Errorf("%w (the token is read from $%s)", err, f.TokenEnv)
		}
		return nil
	}
	return fmt.Errorf("unknown transport %q; use stdio or http", f.Transport)
}

// Logger returns a logger to standard error at the level that was asked for. A
// client that does not read standard error does not hold up the server: lines
// for which there is no room are left out and counted.
func (f *Flags) Logger() *slog.Logger {
	return slog.New(slog.NewTextHandler(Stderr(), &slog.HandlerOptions{Level: f.LogLevel}))
}

// Stderr returns the standard error of the process for a log of another form than
// [Flags.Logger]'s. Writing to it never fails and never waits long.
func Stderr() io.Writer { return stderr }

// Run runs the server as the flags say and returns the exit code: 0 after an
// orderly end, 1 after an error, which is named on standard error.
func (f *Flags) Run(ctx context.Context, s *Server) int {
	if f.NoOutputSchemas {
		s.omitOutputSchemas()
	}
	if err := Run(ctx, s, f.options()); err != nil {
		fmt.Fprintf(stderr, "%s: %v\n", s.info.Name, err)
		return 1
	}
	return 0
}

func (f *Flags) options() RunOptions {
	opts := RunOptions{Transport: f.Transport, HTTP: f.HTTP}
	opts.HTTP.Addr = f.Addr
	opts.HTTP.Token = os.Getenv(f.TokenEnv)
	return opts
}

func (f *Flags) help(set *flag.FlagSet, w io.Writer) {
	title := f.info.Title
	if title == "" {
		title = f.info.Name
	}
	fmt.Fprintf(w, "%s %s, a Model Context Protocol server\n\nUsage: %s [flags]\n\nFlags:\n",
		title, f.info.Version, strings.Join(append([]string{set.Name()}, f.Command...), " "))
	set.VisitAll(func(fl *flag.Flag) {
		value, usage := flag.UnquoteUsage(fl)
		if value != "" {
			value = " " + value
		}
		if fl.DefValue != "" && fl.DefValue != "false" {
			usage += fmt.Sprintf(" (default %s)", fl.DefValue)
		}
		fmt.Fprintf(w, "  --%s%s\n        %s\n", fl.Name, value, usage)
	})
	fmt.Fprintf(w, "\nOver HTTP the bearer token is read from $%s.\n", f.TokenEnv)
}

// Main is the main function of a server without flags of its own. It does what
// the command line says, serves until the end, and exits the process.
func Main(s *Server) {
	var f Flags
	set := flag.NewFlagSet(s.info.Name, flag.ContinueOnError)
	f.Register(set)
	if code, done := f.Parse(set, s.info, os.Args[1:]); done {
		os.Exit(code)
	}
	os.Exit(f.Run(context.Background(), s))
}
