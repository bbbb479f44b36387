-- The operator's console: who may use it, and acts that wait for a second operator.
CREATE TABLE operators (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  made_at timestamptz NOT NULL
);

ALTER TABLE billing.audit ADD COLUMN act_id uuid, ADD COLUMN operator_id uuid;
ALTER TABLE billing.audit ADD CONSTRAINT audit_once UNIQUE (act_id);
CREATE INDEX audit_of_user ON billing.audit (user_id, id) WHERE user_id IS NOT NULL;
CREATE INDEX audit_of_operator ON billing.audit (operator_id, at) WHERE operator_id IS NOT NULL;

CREATE TABLE billing.proposals (
  id uuid PRIMARY KEY,
  act jsonb NOT NULL,
  reason text NOT NULL CHECK (reason <> ''),
  operator_id uuid NOT NULL,
  proposed_at timestamptz NOT NULL,
  decision text CHECK (decision IN ('agree', 'refuse')),
  decided_by uuid,
  decided_at timestamptz,
  CONSTRAINT proposals_decided CHECK (num_nulls(decision, decided_by, decided_at) IN (0, 3))
);
CREATE INDEX proposals_open ON billing.proposals (proposed_at) WHERE decision IS NULL;

CREATE INDEX bucket_lost ON credit.bucket (id) WHERE revoke_target > 0;
CREATE INDEX messages_failed ON messages (ended_at DESC, id DESC) WHERE status IN ('failed', 'interrupted');
CREATE INDEX messages_newest ON messages USING brin (created_at) WITH (pages_per_range = 32, autosummarize = on);
