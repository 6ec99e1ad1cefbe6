package render

// refuse reports every declared feature that the dialect has no place for, by name.
func (j *job) refuse() {
}
