-- What the requests of a key hold and have spent in a month: a send with a monthly cap reads one row. It is summed with the first
-- request that follows, so that nothing is read here.
CREATE TABLE api_key_months (
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  key_id uuid NOT NULL REFERENCES api_keys ON DELETE CASCADE,
  month date NOT NULL,
  credits integer NOT NULL,
  PRIMARY KEY (key_id, month)
);
CREATE INDEX api_key_months_user ON api_key_months (user_id);
