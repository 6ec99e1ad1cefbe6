CREATE TABLE `shop/orders` (
  id Uint64 NOT NULL,
  name Utf8 DEFAULT "it's",
  amount Decimal(22, 9),
  INDEX by_name GLOBAL ASYNC ON (name) COVER (amount),
  INDEX one_name GLOBAL UNIQUE SYNC ON (name, amount),
  PRIMARY KEY (id, name)
) PARTITION BY HASH(id) WITH (AUTO_PARTITIONING_BY_SIZE = ENABLED, TTL = Interval("P1D") ON at);
CREATE VIEW names WITH (security_invoker = TRUE) AS SELECT name FROM `shop/orders`;
