package sqlguard

import (
	_ "embed"
	"maps"
	"strings"
)

// The functions of the engines that compute a value of their arguments and do nothing
// else, in lower case, one a line. What they leave out reads files, settings, other
// relations or the state of the server, reaches the network, waits, or writes; a
// function that is in no list, such as one that runs a program of the server's
// operator, may not be called either. A test compares the lists with the engines.
var (
	//go:embed functions/duckdb.txt
	duckdbFunctions string
	//go:embed functions/clickhouse.txt
	clickhouseFunctions string
	//go:embed functions/clickhouse_aggregates.txt
	clickhouseAggregates string
)

var (
	duckdbNames     = names(duckdbFunctions)
	aggregateNames  = names(clickhouseAggregates)
	clickhouseNames = func() map[string]bool {
		all := names(clickhouseFunctions)
		maps.Copy(all, aggregateNames)
		return all
	}()
)

func names(list string) map[string]bool {
	m := map[string]bool{}
	for _, n := range strings.Fields(list) {
		m[n] = true
	}
	return m
}

func functions(d Dialect) map[string]bool {
	if d == ClickHouse {
		return clickhouseNames
	}
	return duckdbNames
}

// tableFunctions may stand in FROM.
var tableFunctions = map[Dialect]map[string]bool{
	DuckDB:     names("generate_series range unnest json_each json_tree"),
	ClickHouse: names("numbers numbers_mt zeros zeros_mt generate_series generateseries values"),
}

// generators make as many rows or elements as an argument says.
var generators = names("generate_series generateseries range numbers numbers_mt zeros zeros_mt repeat space")

// higherOrder are functions of ClickHouse whose first argument of several is a function.
var higherOrder = names(`arraymap arrayfilter arrayexists arrayall arraycount arraysum arrayavg arraymin arraymax arrayproduct arrayfirst arraylast
	arrayfirstindex arraylastindex arrayfirstornull arraylastornull arrayfill arrayreversefill arraysplit arrayreversesplit arrayfold arraycumsum
	arraycumsumnonnegative mapapply mapfilter mapexists mapall`)

// maxGenerated is how many of them a statement may ask for.
const maxGenerated = 100_000_000

// combinators are what ClickHouse lets follow the name of an aggregate function.
var combinators = strings.Fields("argmax argmin array distinct foreach if map merge null ordefault ornull resample simplestate state tuple")

// allowed reports whether a function, in lower case, may be called.
func (g *Guard) allowed(name string) bool {
	if g.functions[name] || g.extra[name] {
		return true
	}
	if g.dialect != ClickHouse {
		return false
	}
	_, ok := aggregate(name)
	return ok
}

// aggregate returns the name of an aggregate function of ClickHouse without its
// combinators.
func aggregate(name string) (string, bool) {
	if aggregateNames[name] {
		return name, true
	}
	for _, c := range combinators {
		if rest, ok := strings.CutSuffix(name, c); ok && rest != "" {
			if base, ok := aggregate(rest); ok {
				return base, true
			}
		}
	}
	return "", false
}

// base is a function without the combinators of ClickHouse.
func base(name string) string {
	if b, ok := aggregate(name); ok {
		return b
	}
	return name
}

// statistical reports whether a function describes a distribution beyond its sum
// and mean.
func statistical(name string) bool {
	b := base(name)
	for _, p := range []string{"quantile", "percentile", "median", "stddev", "var_", "varpop", "varsamp", "kurt", "skew"} {
		if strings.HasPrefix(b, p) || strings.HasPrefix(b, "list_"+p) {
			return true
		}
	}
	switch strings.TrimPrefix(b, "list_") {
	case "variance", "entropy", "mad", "std", "approx_quantile", "reservoir_quantile":
		return true
	}
	return false
}

// correlation reports whether a function sets two columns against each other.
func correlation(name string) bool {
	b := base(name)
	return strings.HasPrefix(b, "corr") || strings.HasPrefix(b, "covar") || strings.HasPrefix(b, "regr_") || b == "simplelinearregression" || b == "rankcorr"
}
