package catalog

// A gob leaves out a zero behind a pointer, as if nothing were known. So the zeros
// are written on their own: as the distances between them in the order of
// eachNumber.

// eachNumber visits every number of data that may be unknown, in a fixed order. One
// of the two pointers is nil.
func eachNumber(data *Data, visit func(i **int64, f **float64)) {
	for i := range data.Tables {
		t := &data.Tables[i]
		visit(&t.Rows, nil)
		visit(&t.Bytes, nil)
		for k := range t.Columns {
			if s := t.Columns[k].Stats; s != nil {
				visit(&s.Distinct, nil)
				visit(nil, &s.NullFraction)
				visit(nil, &s.Correlation)
			}
		}
	}
}

func zerosOf(data *Data) []int {
	var gaps []int
	gap := 0
	eachNumber(data, func(i **int64, f **float64) {
		if i != nil && *i != nil && **i == 0 || f != nil && *f != nil && **f == 0 {
			gaps = append(gaps, gap)
			gap = 0
		} else {
			gap++
		}
	})
	return gaps
}

// restoreZeros puts the zeros back.
func restoreZeros(data *Data, gaps []int) {
	gap := 0
	eachNumber(data, func(i **int64, f **float64) {
		switch {
		case len(gaps) == 0:
		case gap < gaps[0]:
			gap++
		default:
			gap, gaps = 0, gaps[1:]
			if i != nil {
				*i = new(int64)
			} else {
				*f = new(float64)
			}
		}
	})
}
