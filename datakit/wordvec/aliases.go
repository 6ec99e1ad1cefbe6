package wordvec

import "strings"

// aliases maps abbreviations and terms of business and schemas to the plain
// words they stand for. They are either absent from the vocabulary or mean
// something else there ("arr", "cat", "po"). Every word on the right is in the
// vocabulary.
var aliases = func() map[string][]string {
	m := make(map[string][]string)
	for line := range strings.Lines(aliasTable) {
		if short, words, ok := strings.Cut(line, ":"); ok {
			m[strings.TrimSpace(short)] = strings.Fields(words)
		}
	}
	return m
}()

const aliasTable = `
acct: account
addr: address
adj: adjustment
agg: aggregate
amt: amount
aov: average order value
ap: accounts payable
approx: approximate
appt: appointment
ar: accounts owed
arpu: average revenue per user
arr: annual recurring revenue
asn: shipment notice
attr: attribute
auth: authentication
avail: available
avg: average
backorder: unavailable order
bal: balance
bic: bank code
bom: materials list
cac: customer acquisition cost
calc: calculated
cat: category
cd: code
cfg: configuration
chargeback: payment reversal
chg: change
chk: check
cnt: count
cnty: county
cogs: cost goods sold
col: column
config: configuration
coord: coordinates
corp: corporation
cpa: cost acquisition
cpc: cost click
cpm: cost impressions
cr: credit
crm: customer relationship
csat: customer satisfaction
ctr: click rate
ctry: country
cur: currency
curr: current
cust: customer
dept: department
desc: description
descr: description
dest: destination
dim: dimension
dir: directory
disc: discount
div: division
doc: document
dob: birth date
dod: death date
dpt: department
dr: debit
dt: date
dtl: detail
dtm: date time
dur: duration
dw: data warehouse
dwh: data warehouse
ebitda: earnings
eff: effective
ein: employer tax identification
emp: employee
env: environment
eod: day end
eom: month end
err: error
est: estimated
etl: data load
evt: event
ext: external
fct: fact
fk: reference
fname: first name
freq: frequency
fx: currency exchange
fy: fiscal year
geo: location
gl: general ledger
gmv: merchandise sales value
govt: government
grp: group
gst: goods tax
hdr: header
hist: history
hr: personnel
iban: bank account
img: image
impr: impressions
info: information
init: initial
inv: inventory
invc: invoice
ip: internet address
isbn: book number
kpi: performance indicator
lang: language
lat: latitude
lbl: label
lng: longitude
lname: last name
loc: location
login: sign account
logins: sign account
lon: longitude
ltv: customer lifetime value
lvl: level
max: maximum
mfg: manufacturing
mfr: manufacturer
mgmt: management
mgr: manager
min: minimum
misc: miscellaneous
mktg: marketing
mrn: patient record number
mrr: monthly recurring revenue
msg: message
mtd: month
nbr: number
nps: customer satisfaction score
notif: notification
num: number
onboarding: introduction training
oos: out stock
opex: operating expenses
opp: opportunity
ord: order
org: organization
orig: original
otp: password
param: parameter
pct: percent
perf: performance
perm: permission
phys: physical
pk: key
pmt: payment
pnl: profit loss
po: purchase order
pref: preference
prev: previous
prod: product
promo: promotion
pwd: password
pymt: payment
qtr: quarter
qty: quantity
recv: received
ref: reference
req: request
resp: response
rev: revenue
rma: merchandise return
roas: advertising return
roi: investment return
rpt: report
saas: software subscription
sched: schedule
seq: sequence
sess: session
shpmt: shipment
signup: registration
signups: registration
sku: product item
sla: service agreement
spec: specification
src: source
ssn: social security number
sso: sign authentication
stat: status
std: standard
stg: staging
sub: subscription
subs: subscriptions
supp: supplier
svc: service
sys: system
tbl: table
tel: telephone
tgt: target
tkt: ticket
tmp: temporary
tot: total
trans: transaction
trk: tracking
trx: transaction
ts: time
ttl: total
txn: transaction
uom: measure unit
upd: updated
upsell: sell upgrade
uri: web address
url: web address
usr: user
util: utility
uuid: identifier
val: value
vat: value tax
vol: volume
wh: warehouse
whse: warehouse
wip: work progress
wishlist: wish list
wk: week
wt: weight
xfer: transfer
yoy: yearly
yr: year
ytd: year
zip: postal code
`
