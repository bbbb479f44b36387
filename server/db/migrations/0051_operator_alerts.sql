-- What needs the operator, from the first look that found it until a look finds it no more.
CREATE TABLE operator_alerts (
  kind text NOT NULL,
  subject text NOT NULL,
  details jsonb NOT NULL,
  raised_at timestamptz NOT NULL,
  seen_at timestamptz NOT NULL,
  ended_at timestamptz,
  sent integer NOT NULL DEFAULT 0,
  next_send_at timestamptz,
  PRIMARY KEY (kind, subject),
  CONSTRAINT operator_alerts_sent_check CHECK (sent >= 0),
  CONSTRAINT operator_alerts_in_order CHECK (raised_at <= seen_at AND seen_at <= ended_at)
);
