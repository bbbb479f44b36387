-- Mail to be sent, and the language in which somebody is written to.

ALTER TABLE users ADD COLUMN language text NOT NULL DEFAULT 'zh' CHECK (language IN ('zh', 'en'));

-- One mail that is to go out once; its id is its Message-ID. What it says is composed when it is sent, so that a request for a
-- mail costs the same whether or not anybody has the address. params are emptied when it is done.
CREATE TABLE mails (
  id          uuid PRIMARY KEY,
  key         text NOT NULL UNIQUE CHECK (length(key) BETWEEN 1 AND 200),
  template    text NOT NULL,
  to_address  text NOT NULL,
  language    text NOT NULL CHECK (language IN ('zh', 'en')),
  params      jsonb NOT NULL,
  created_at  timestamptz NOT NULL,
  tries       integer NOT NULL DEFAULT 0,
  next_try_at timestamptz NOT NULL,
  ended_at    timestamptz,
  outcome     text CHECK (outcome IN ('sent', 'unwanted', 'failed')),
  error       text,
  CONSTRAINT mails_ended_has_outcome CHECK ((ended_at IS NULL) = (outcome IS NULL))
);
CREATE INDEX mails_due ON mails (next_try_at) WHERE ended_at IS NULL;
CREATE INDEX mails_age ON mails (ended_at) WHERE ended_at IS NOT NULL;
