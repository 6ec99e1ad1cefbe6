CREATE TYPE status AS ENUM ('new', 'done');
CREATE TABLE users (
  id UUID NOT NULL DEFAULT gen_random_uuid(),
  city STRING(20) NOT NULL,
  name VARCHAR NULL,
  tags STRING[],
  at TIMESTAMPTZ DEFAULT now(),
  state status DEFAULT 'new',
  shout STRING AS (upper(name)) VIRTUAL,
  whisper STRING AS (lower(name)) STORED,
  CONSTRAINT users_pkey PRIMARY KEY (city, id),
  UNIQUE INDEX users_name_key (name ASC) STORING (city),
  INDEX (city DESC) USING HASH,
  INVERTED INDEX inv (tags),
  CHECK (city <> '')
) WITH (ttl_expire_after = '3 months');
CREATE TABLE fine (
  id INT8 PRIMARY KEY,
  up INT REFERENCES fine (id) ON UPDATE CASCADE
);
CREATE INDEX i ON fine (up) WHERE up > 0 NOT VISIBLE;
CREATE VIEW named AS SELECT name FROM users;
COMMENT ON TABLE users IS 'all users';
COMMENT ON COLUMN users.city IS 'it''s where';
