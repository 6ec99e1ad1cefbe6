package route

// families are groups of words that people use for one thing in trade and that
// neither stemming nor word vectors bring together well: irregular and derived
// forms, and everyday words for technical ones.
var families = []string{
	"sell sells sold selling sale sales",
	"buy buys bought buying purchase purchased purchases",
	"buyer shopper customer client",
	"grow grows grew growing growth increase",
	"convert converts converting conversion",
	"deliver delivered delivering delivery deliveries shipment shipped parcel package",
	"leave leaves leaving quit quits cancel cancelled canceled cancellation lose lost churn churned attrition",
	"end ends ended terminate terminated cancelled churned",
	"solve solved fix fixed close closed resolve resolved resolution",
	"answer answered answers reply replies replied respond responds response",
	"quick quickly fast speed time wait waiting hours minutes long",
	"spend spends spending spent expense expenses expenditure cost costs",
	"earn earned earns earnings income revenue takings turnover sales",
	"profit profits profitable profitability margin margins",
	"subscribe subscribes subscribed subscriber subscribers subscription subscriptions",
	"visit visits visited visitor visitors traffic session sessions",
	"complain complains complaint complaints ticket tickets case cases request requests issue issues inquiry inquiries",
	"acquire acquires acquired acquiring acquisition win winning gain gaining",
	"refund refunds refunded reimburse reimbursed reimbursement reimbursements",
	"stock inventory storage stored",
	"ad ads advert adverts advertisement advertisements advertising marketing campaign campaigns",
	"late delayed punctual punctuality punctually timely schedule",
	"first initial new",
	"item items unit units piece pieces",
	"mean average typical typically",
	"accumulated cumulative cumulated running",
	"recur recurs recurring recurrent",
	"employee employees staff personnel worker workers",
	"supplier suppliers vendor vendors",
}
