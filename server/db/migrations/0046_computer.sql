-- A model may drive a browser in front of its user (decision 78): what runs, what its user is asked, and more steps for more Credits.
-- First, and in the order of a send: else the two could wait for each other.
LOCK TABLE messages, credit.hold IN ACCESS EXCLUSIVE MODE;

CREATE TABLE computer_runs (
  message_id uuid PRIMARY KEY REFERENCES messages ON DELETE CASCADE,
  user_id    uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  state      text NOT NULL,
  control    text NOT NULL DEFAULT 'none',
  place      integer,
  url        text NOT NULL DEFAULT '',
  until      timestamptz,
  CONSTRAINT computer_runs_state CHECK (state = ANY ('{queued,running,waiting}'::text[])),
  CONSTRAINT computer_runs_control CHECK (control = ANY ('{none,paused,taken_over}'::text[])),
  CONSTRAINT computer_runs_place CHECK ((state = 'queued') = (place IS NOT NULL))
);
CREATE UNIQUE INDEX computer_runs_user ON computer_runs (user_id);

CREATE TABLE computer_confirmations (
  id         uuid PRIMARY KEY,
  message_id uuid NOT NULL REFERENCES messages ON DELETE CASCADE,
  user_id    uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  reason     text NOT NULL,
  state      text NOT NULL DEFAULT 'waiting',
  params     jsonb NOT NULL,
  asked_at   timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  CONSTRAINT computer_confirmations_reason
    CHECK (reason = ANY ('{new_site,sensitive_field,cross_site_form,provider,more_steps}'::text[])),
  CONSTRAINT computer_confirmations_state CHECK (state = ANY ('{waiting,allowed,denied,expired,ended}'::text[]))
);
CREATE INDEX computer_confirmations_message ON computer_confirmations (message_id);
CREATE INDEX computer_confirmations_user ON computer_confirmations (user_id);
CREATE INDEX computer_confirmations_due ON computer_confirmations (expires_at) WHERE state = 'waiting';

-- The newest picture of a run that another process shows.
CREATE TABLE computer_frames (
  message_id uuid PRIMARY KEY REFERENCES computer_runs ON DELETE CASCADE,
  n          bigint NOT NULL,
  jpeg       text NOT NULL
);

ALTER TABLE credit.hold ADD COLUMN of_hold uuid;
ALTER TABLE credit.hold
  ADD CONSTRAINT hold_of_another CHECK (of_hold <> id) NOT VALID,
  ADD CONSTRAINT hold_of_hold_fkey FOREIGN KEY (user_id, of_hold) REFERENCES credit.hold (user_id, id) ON DELETE CASCADE NOT VALID;
CREATE INDEX hold_more ON credit.hold (user_id, of_hold) WHERE of_hold IS NOT NULL;

-- A browser that took no step is free, also where its model answered.
ALTER TABLE messages
  DROP CONSTRAINT messages_completed_is_charged,
  ADD CONSTRAINT messages_completed_is_charged CHECK (status <> 'completed' OR credits_used > 0 OR coalesce(input ? 'computer', false)) NOT VALID;
