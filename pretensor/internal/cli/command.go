package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"

	"github.com/quartet-mcp/quartet/pretensor/internal/config"
	"github.com/quartet-mcp/quartet/pretensor/internal/keystore"
	"github.com/quartet-mcp/quartet/pretensor/internal/registry"
	"github.com/quartet-mcp/quartet/pretensor/internal/state"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// commands are the commands, in the order of the help.
var commands = []func(*session) *cobra.Command{
	newQuickstart, newInit,
	newAdd, newRemove, newList,
	newIndex, newReindex,
	newServe,
	newAnalyze, newSemantic, newValidate, newExport, newCheck,
}

// Common options that only some commands take; a command says so with takes.
const (
	optionJSON     = "json"
	optionDatabase = "database"
)

// session is one run of the program: what the command line says for every command,
// and what follows from it.
type session struct {
	*Program

	// The common options.
	logLevel, logFormat, logFile   string
	configFile, stateDir, database string
	json, version, help            bool
	printConfig                    string // of the root: as serve's

	env     config.Env
	cfg     *config.Config
	dir     *state.Dir
	reg     *registry.Store
	log     *slog.Logger
	secrets *secrets
	done    func() // closes the log
}

// Run runs the command that args name and returns the exit code. Results are on
// Stdout; everything else, errors too, on Stderr.
func (p *Program) Run(ctx context.Context, args []string) int {
	s := &session{Program: p.withDefaults(), secrets: &secrets{}, done: func() {}}
	s.env = config.ReadEnv(s.getenv)
	// Until the options are read, errors are written as by default.
	s.log, _, _ = logging{secrets: s.secrets}.open(s.Stderr)
	defer func() { s.done() }()
	root := newRoot(s)
	root.SetArgs(args)
	cmd, err := root.ExecuteContextC(ctx)
	s.report(cmd, err)
	return code(err)
}

// report says what went wrong, and what to do about it.
func (s *session) report(cmd *cobra.Command, err error) {
	if _, silent := errors.AsType[exitError](err); err == nil || silent {
		return
	}
	s.log.Error(describe(err), "event", "command", "status", "error")
	hint := ""
	if _, usage := errors.AsType[*usageError](err); usage {
		if cmd.Name() == "help" {
			cmd = cmd.Parent()
		}
		hint = "see: " + cmd.CommandPath() + " --help"
	}
	if h, ok := errors.AsType[*hintError](err); ok {
		hint = h.hint
	}
	if hint != "" {
		s.log.Info(hint, "event", "hint")
	}
}

func init() { cobra.EnableCommandSorting = false }

func newRoot(s *session) *cobra.Command {
	root := &cobra.Command{
		Use:   name,
		Short: "Serve the structure of databases to assistants",
		Long: "pretensor reads the structure of databases, never their rows, and answers assistants over the Model\n" +
			"Context Protocol: which tables there are, how they join, whether SQL is right, what a change breaks.",
		SilenceErrors: true, SilenceUsage: true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
	}
	root.SetIn(s.Stdin)
	root.SetOut(s.Stdout)
	root.SetErr(s.Stderr)
	root.SetFlagErrorFunc(flagError)
	s.commonOptions(root.PersistentFlags())
	for _, c := range commands {
		root.AddCommand(c(s))
	}
	root.Flags().StringVar(&s.printConfig, "print-config", "", "print the configuration of a `client`, as serve --print-config does, and exit")
	root.Args = func(cmd *cobra.Command, args []string) error { return unknownCommand(cmd, args) }
	root.RunE = func(cmd *cobra.Command, _ []string) error {
		if s.printConfig != "" {
			return s.clientConfig(s.printConfig, nil)
		}
		return s.welcome(cmd)
	}
	root.SetHelpCommand(newHelp(root))
	s.decorate(root)
	showOwnOptions(root)
	return root
}

func (s *session) commonOptions(flags *pflag.FlagSet) {
	flags.SortFlags = false
	choiceVar(flags, &s.logLevel, "log-level", "info", "what the log on standard error holds", "debug", "info", "warning", "error")
	choiceVar(flags, &s.logFormat, "log-format", "text", "how it is written; json is one object a line", "text", "json")
	flags.StringVar(&s.logFile, "log-file", "", "a second log, appended to a `file`")
	flags.StringVar(&s.configFile, "config", "", "the configuration `file` (default config.yaml in the state directory, if it is there)")
	flags.StringVar(&s.stateDir, "state-dir", "", "the `folder` of everything that pretensor writes (default "+state.DefaultPath+")")
	flags.StringVar(&s.stateDir, "graph-dir", "", "the same as --state-dir")
	flags.StringVarP(&s.database, optionDatabase, "d", "", "the `connection` that is meant")
	flags.StringVar(&s.database, "db", "", "the same as --database")
	flags.BoolVar(&s.json, optionJSON, false, "print the result as JSON")
	flags.BoolVar(&s.version, "version", false, "print the version and exit")
	flags.BoolVarP(&s.help, "help", "h", false, "print this help and exit")
	for _, alias := range []string{"graph-dir", "db"} {
		flags.Lookup(alias).Hidden = true
	}
}

// takes says which of the common options that not every command has a command takes.
func takes(cmd *cobra.Command, options ...string) *cobra.Command {
	cmd.Annotations = map[string]string{"takes": strings.Join(options, " ")}
	return cmd
}

func isTaken(cmd *cobra.Command, option string) bool {
	return strings.Contains(" "+cmd.Annotations["takes"]+" ", " "+option+" ")
}

// decorate puts around a command, and those below it, what holds for all of them.
func (s *session) decorate(cmd *cobra.Command) {
	args, run := cmd.Args, cmd.RunE
	cmd.Args = func(cmd *cobra.Command, given []string) error {
		if s.version || args == nil {
			return nil
		}
		return args(cmd, given)
	}
	cmd.RunE = func(cmd *cobra.Command, given []string) error {
		if s.version {
			_, err := fmt.Fprintf(s.Stdout, "%s %s\n", name, s.Version)
			return err
		}
		if run == nil { // a command that only has commands below it
			return unknownCommand(cmd, given)
		}
		if err := s.begin(cmd); err != nil {
			return err
		}
		return run(cmd, given)
	}
	cmd.Flags().SortFlags = false
	for _, c := range cmd.Commands() {
		s.decorate(c)
	}
}

// unknownCommand is the error of arguments where a command belongs.
func unknownCommand(cmd *cobra.Command, args []string) error {
	names := []string{}
	for _, c := range cmd.Commands() {
		if !c.Hidden {
			names = append(names, c.Name())
		}
	}
	switch {
	case len(args) > 0 && args[0] != "" && !isName(args[0]):
		return usagef("%s has no command like that; a database is registered with: %s", cmd.CommandPath(), name+" add DSN")
	case len(args) > 0:
		return usagef("%s has no command %s%s", cmd.CommandPath(), shown(args[0]), suggestion(args[0], names, ""))
	case cmd.HasParent():
		return usagef("%s needs one of its commands: %s", cmd.CommandPath(), strings.Join(names, ", "))
	}
	return nil
}

// begin reads the common options and the configuration.
func (s *session) begin(cmd *cobra.Command) error {
	var wrong error
	cmd.Flags().Visit(func(f *pflag.Flag) {
		switch {
		case wrong != nil:
		case f.Value.Type() == "string" && f.Value.String() == "":
			wrong = usagef("--%s needs a value, it is empty", f.Name)
		case f.Name == optionJSON && !isTaken(cmd, optionJSON),
			(f.Name == optionDatabase || f.Name == "db") && !isTaken(cmd, optionDatabase):
			wrong = usagef("%s has no option --%s", cmd.CommandPath(), f.Name)
		}
	})
	if wrong != nil {
		return wrong
	}
	stderr := s.Stderr
	if cmd.Name() == serving {
		stderr = s.ServeLog
	}
	log, done, err := logging{
		level: levels[s.logLevel], json: s.logFormat == "json", color: s.Terminal && !s.env.NoColor,
		file: s.logFile, secrets: s.secrets,
	}.open(stderr)
	if err != nil {
		return err
	}
	s.log, s.done = log, done
	if dir := cmp.Or(s.stateDir, s.env.StateDir, state.DefaultPath); !isFolder(dir) {
		return fmt.Errorf("the state directory %s is a file; give a folder with --state-dir", dir)
	}
	s.cfg, err = config.Load(config.Options{ConfigFlag: s.configFile, StateDirFlag: s.stateDir, Env: s.env})
	if err != nil {
		return err
	}
	s.dir = state.At(s.cfg.StateDir)
	s.dir.LockWait = s.LockWait
	s.reg = registry.NewStore(s.dir, s.getenv)
	for _, list := range [][]string{s.cfg.Warnings, s.dir.Warnings(), keystore.Warnings(s.dir), s.reg.Warnings()} {
		for _, w := range list {
			s.log.Warn(w, "event", "configuration")
		}
	}
	return nil
}

// isFolder reports whether a path is one or nothing is there yet.
func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err != nil || info.IsDir()
}

// welcome is what pretensor says without a command.
func (s *session) welcome(cmd *cobra.Command) error {
	if r, err := s.reg.Read(); err == nil && r.Len() == 0 {
		if _, err := fmt.Fprintf(s.Stdout, "No database is registered yet. Try: %s, or for your own: %s\n\n", s.line("quickstart"), s.line("init")); err != nil {
			return err
		}
	}
	return cmd.Help()
}

// newHelp is the command help, whose mistakes are mistakes like others.
func newHelp(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use: "help [COMMAND]", Short: "Print the help of a command", Hidden: true,
		RunE: func(_ *cobra.Command, args []string) error {
			cmd, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				return unknownCommand(cmd, rest)
			}
			return cmd.Help()
		},
	}
}

// showOwnOptions leaves the common options that a command does not take out of its
// help.
func showOwnOptions(root *cobra.Command) {
	usual := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		for _, o := range []string{optionJSON, optionDatabase} {
			root.PersistentFlags().Lookup(o).Hidden = cmd != root && !isTaken(cmd, o)
		}
		usual(cmd, args)
	})
}
