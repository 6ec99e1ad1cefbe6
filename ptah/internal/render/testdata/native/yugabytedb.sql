CREATE TABLE users (
  id SERIAL,
  name VARCHAR(20) UNIQUE,
  tags TEXT[],
  PRIMARY KEY (id HASH, name)
);
CREATE INDEX by_name ON users USING lsm (name) INCLUDE (id);
CREATE INDEX by_tags ON users USING ybgin (tags);
CREATE VIEW named AS SELECT name FROM users;
COMMENT ON VIEW named IS 'names';
