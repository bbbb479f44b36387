-- The ledger is checked where something was booked (decision 54): how far the check came, in all and in each bucket.

CREATE TABLE credit.checked (
  user_id     uuid NOT NULL REFERENCES credit.account ON DELETE CASCADE,
  bucket_id   bigint NOT NULL,
  transfer_id bigint NOT NULL,
  available   integer NOT NULL,
  held        integer NOT NULL,
  spent       integer NOT NULL,
  expired     integer NOT NULL,
  revoked     integer NOT NULL,
  PRIMARY KEY (user_id, bucket_id)
);

CREATE TABLE credit.checking (
  is_only    boolean PRIMARY KEY DEFAULT true,
  checked_to bigint NOT NULL,
  until      bigint NOT NULL,
  noted_at   timestamptz NOT NULL,
  CONSTRAINT checking_has_one_row CHECK (is_only)
);
INSERT INTO credit.checking (checked_to, until, noted_at) VALUES (0, 0, '-infinity');

CREATE INDEX transfer_newest ON credit.transfer USING brin (id) WITH (pages_per_range = 32, autosummarize = on);
