-- Models that an operator paused: nothing new can be sent to them.
CREATE TABLE paused_models (
  model text PRIMARY KEY,
  paused_at timestamptz NOT NULL
);
