package conformance

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"
)

// WriteTable writes a line for each server, after what is wrong with them.
func WriteTable(w io.Writer, reports []Report) error {
	var b strings.Builder
	for _, r := range reports {
		for _, c := range r.Cases {
			for _, p := range c.Problems {
				fmt.Fprintf(&b, "%s/%s, %s:\n%s\n\n", r.Server, c.Transcript, c.Era, indent(p))
			}
		}
		for _, p := range r.Problems {
			fmt.Fprintf(&b, "%s:\n%s\n\n", r.Server, indent(p))
		}
	}
	table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "server\ttranscripts\tpassed\tfailed\ttime")
	for _, r := range reports {
		passed, failed := r.Count()
		if r.State != "" {
			fmt.Fprintf(table, "%s\t%s\t\t\t\n", r.Server, r.State)
			continue
		}
		fmt.Fprintf(table, "%s\t%d\t%d\t%d\t%s\n", r.Server, passed+failed, passed, failed, r.Elapsed.Round(10*time.Millisecond))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func indent(s string) string { return "    " + strings.ReplaceAll(s, "\n", "\n    ") }

// The elements of a JUnit file that its readers agree on.
type (
	junitSuites struct {
		XMLName xml.Name     `xml:"testsuites"`
		Suites  []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Skipped  int         `xml:"skipped,attr"`
		Time     string      `xml:"time,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Class   string        `xml:"classname,attr"`
		Name    string        `xml:"name,attr"`
		Time    string        `xml:"time,attr"`
		Failure *junitMessage `xml:"failure,omitempty"`
		Skipped *junitMessage `xml:"skipped,omitempty"`
	}
	junitMessage struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

// WriteJUnit writes the reports in the format that CI systems read: a suite for
// each server, a case for each transcript and era, and one for the server.
func WriteJUnit(w io.Writer, reports []Report) error {
	var all junitSuites
	for _, r := range reports {
		s := junitSuite{Name: r.Server, Time: seconds(r.Elapsed)}
		for _, c := range r.Cases {
			s.add(junitCase{Class: r.Server + "." + c.Transcript, Name: c.Era, Time: seconds(c.Elapsed)}, c.Problems)
		}
		whole := junitCase{Class: r.Server, Name: "server", Time: "0"}
		if r.State != "" {
			whole.Skipped = &junitMessage{Message: r.State}
			s.Skipped++
		}
		s.add(whole, r.Problems)
		all.Suites = append(all.Suites, s)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func (s *junitSuite) add(c junitCase, problems []string) {
	s.Tests++
	if len(problems) > 0 {
		s.Failures++
		first, _, _ := strings.Cut(problems[0], "\n")
		c.Failure = &junitMessage{Message: first, Text: strings.Join(problems, "\n")}
	}
	s.Cases = append(s.Cases, c)
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()) }
