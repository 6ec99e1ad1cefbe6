package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/quartet-mcp/quartet/mcpkit/nearest"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Exit codes.
const (
	exitOK     = 0
	exitFailed = 1 // the operation failed, or what was checked is not valid
	exitUsage  = 2 // the command line is wrong
)

// usageError is a mistake on the command line.
type usageError struct{ message string }

func (e *usageError) Error() string { return e.message }

func usagef(format string, args ...any) error {
	return &usageError{fmt.Sprintf(format, args...)}
}

// exitError ends a command with a code after it has reported everything itself.
type exitError int

func (e exitError) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// hintError is an error with what to do about it.
type hintError struct {
	error
	hint string
}

func (e *hintError) Unwrap() error { return e.error }

// hintf adds what to do to an error.
func hintf(err error, format string, args ...any) error {
	return &hintError{err, fmt.Sprintf(format, args...)}
}

// code is the exit code of a command's error.
func code(err error) int {
	if exit, ok := errors.AsType[exitError](err); ok {
		return int(exit)
	}
	if _, ok := errors.AsType[*usageError](err); ok {
		return exitUsage
	}
	if err != nil {
		return exitFailed
	}
	return exitOK
}

// describe is an error as a person reads it.
func describe(err error) string {
	if errors.Is(err, context.Canceled) {
		return "interrupted"
	}
	return err.Error()
}

// shown is a text of the command line as an error may repeat it: nothing that may be
// a connection string, and not too much.
func shown(text string) string {
	if strings.ContainsAny(text, ":@=?") {
		return "that value"
	}
	if r := []rune(text); len(r) > 60 {
		text = string(r[:59]) + "…"
	}
	return fmt.Sprintf("%q", text)
}

// suggestion is "; did you mean …?" for the names near to one that is not known.
func suggestion(text string, names []string, prefix string) string {
	found := nearest.Find(text, names, 3)
	if len(found) == 0 {
		return ""
	}
	for i := range found {
		found[i] = prefix + found[i]
	}
	return "; did you mean " + strings.Join(found, " or ") + "?"
}

// flagError puts pflag's errors into our words; values that may be secret are not
// repeated.
func flagError(cmd *cobra.Command, err error) error {
	if e, ok := errors.AsType[*pflag.NotExistError](err); ok {
		if short := e.GetSpecifiedShortnames(); short != "" {
			return usagef("%s has no option -%s", cmd.CommandPath(), short[:1])
		}
		known := []string{}
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				known = append(known, f.Name)
			}
		})
		given := e.GetSpecifiedName()
		return usagef("%s has no option %s%s", cmd.CommandPath(), option(given), suggestion(given, known, "--"))
	}
	if e, ok := errors.AsType[*pflag.ValueRequiredError](err); ok {
		return usagef("--%s needs a value", e.GetFlag().Name)
	}
	if e, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		var why string
		if c, ok := e.GetFlag().Value.(*choice); ok {
			why = c.want() + suggestion(e.GetValue(), c.allowed, "")
		} else {
			why = "want " + article(e.GetFlag().Value.Type())
		}
		return usagef("--%s: %s is not valid: %s", e.GetFlag().Name, shown(e.GetValue()), why)
	}
	return usagef("the options cannot be read; see %s --help", cmd.CommandPath())
}

// option is an option as it was written, if it may be repeated.
func option(given string) string {
	if strings.ContainsAny(given, ":@/?") || len(given) > 40 {
		return "like that"
	}
	return "--" + given
}

func article(kind string) string {
	switch kind {
	case "int", "int64":
		return "a whole number"
	case "float64":
		return "a number"
	case "bool":
		return "true or false"
	case "duration":
		return "a time such as 5s or 2m"
	}
	return "a " + kind
}

// noArgs, oneArg and atMostOne count arguments without repeating them.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("%s takes no argument, got %d", cmd.CommandPath(), len(args))
	}
	return nil
}

func oneArg(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) == 0 || strings.TrimSpace(args[0]) == "":
			return usagef("%s needs %s", cmd.CommandPath(), what)
		case len(args) > 1:
			return usagef("%s takes %s and nothing more, got %d arguments", cmd.CommandPath(), what, len(args))
		}
		return nil
	}
}

func atMostOne(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) > 1:
			return usagef("%s takes at most %s, got %d arguments", cmd.CommandPath(), what, len(args))
		case len(args) == 1 && strings.TrimSpace(args[0]) == "":
			return usagef("%s: the argument is empty; want %s", cmd.CommandPath(), what)
		}
		return nil
	}
}

// choice is an option with few values.
type choice struct {
	value   *string
	allowed []string
}

func (c *choice) String() string {
	if c.value == nil {
		return ""
	}
	return *c.value
}

func (c *choice) Set(text string) error {
	for _, a := range c.allowed {
		if text == a {
			*c.value = text
			return nil
		}
	}
	return errors.New(c.want())
}

func (c *choice) want() string { return "want one of " + strings.Join(c.allowed, ", ") }

// Type is what the help shows.
func (c *choice) Type() string { return strings.Join(c.allowed, "|") }

// choiceVar defines an option with few values.
func choiceVar(flags *pflag.FlagSet, p *string, name, value, usage string, allowed ...string) {
	*p = value
	flags.Var(&choice{p, allowed}, name, usage)
}
