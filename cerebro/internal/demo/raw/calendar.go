package raw

import "time"

// The two years that the data covers, as days in the shop's time zone. The last
// one is whole.
var (
	FirstDay = time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
	LastDay  = time.Date(2025, 12, 31, 0, 0, 0, 0, time.UTC)
)

const (
	days       = 731 // from FirstDay to LastDay, 2024 being a leap year
	secondsDay = 24 * 60 * 60
)

// A moment is a number of seconds since the first second of FirstDay, in UTC or
// in the shop's time as the name of the variable says.
type moment int

// never stands for what has not happened.
const never moment = -1 << 40

func (m moment) time() time.Time { return FirstDay.Add(time.Duration(m) * time.Second) }

// utc turns a moment of the shop's time into UTC. The shop lives by Central
// European Time; the rule of its summer time is written here so that the rows do
// not depend on a time zone database.
func utc(local moment) moment {
	winter := local - 3600
	if t := winter.time(); !t.Before(lastSunday(t.Year(), time.March)) && t.Before(lastSunday(t.Year(), time.October)) {
		return winter - 3600
	}
	return winter
}

// lastSunday is the moment of a month's last Sunday when clocks in Europe change.
func lastSunday(year int, m time.Month) time.Time {
	last := time.Date(year, m, 31, 1, 0, 0, 0, time.UTC)
	return last.AddDate(0, 0, -int(last.Weekday()))
}

// end is the first second after the data, in UTC.
var end = utc(days * secondsDay)

// Day of the data by its number.
func date(day int) time.Time { return FirstDay.AddDate(0, 0, day) }

// dayOf is the number of a date.
func dayOf(year int, m time.Month, day int) int {
	return int(time.Date(year, m, day, 0, 0, 0, 0, time.UTC).Sub(FirstDay) / (24 * time.Hour))
}

// The tables below are in thousandths of an average day.
var (
	ofMonth   = [...]int{0, 940, 930, 980, 1020, 1000, 970, 880, 870, 980, 1030, 1120, 1280}
	ofWeekday = [...]int{830, 1050, 920, 900, 1000, 1200, 1100} // from Sunday
)

// demand is how busy a day is, in thousandths of an average day: growth over the
// two years, the month, the day of the week and the holidays.
func demand(day int) int {
	t := date(day)
	d := 780 + 460*day/days
	d = d * ofMonth[t.Month()] / 1000
	d = d * ofWeekday[t.Weekday()] / 1000
	switch {
	case t.Month() == time.December && t.Day() >= 19 && t.Day() <= 23:
		d = d * 1450 / 1000
	case t.Month() == time.December && (t.Day() == 25 || t.Day() == 26), t.YearDay() == 1:
		d = d * 350 / 1000
	}
	return d
}
