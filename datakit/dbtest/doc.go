// Package dbtest starts real database servers for tests: PostgreSQL, MariaDB and
// ClickHouse, on loopback, with their data in a temporary folder. The first two come
// from the system's packages; ClickHouse is the command clickhousetest of this
// repository around the engine that npm installed.
//
// A server is started by the first test of a process that asks for a database,
// and serves all of them; each test gets a database of its own. A package that
// uses dbtest has
//
//	func TestMain(m *testing.M) { os.Exit(dbtest.Main(m)) }
//
// Where a server's programs are missing the test is skipped, or fails if the
// environment variable CI is set. Main shuts the servers down, so that they leave
// neither files nor shared memory; on Linux they also stop when the process that
// started them is killed.
package dbtest
