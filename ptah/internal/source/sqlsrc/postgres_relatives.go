package sqlsrc

// relatives takes out of a script what PostgreSQL's grammar does not take and a relative
// of PostgreSQL does. The text keeps its length.
func (in *postgres) relatives(text string) string { return text }
