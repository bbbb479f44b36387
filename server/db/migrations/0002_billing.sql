-- What a user has paid for: a projection of the provider's facts, one row a user, written by the payment use cases.

CREATE TABLE subscriptions (
  user_id              uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  plan_key             text NOT NULL CHECK (plan_key IN ('gemini_basic', 'gemini_pro')),
  cycle                text NOT NULL CHECK (cycle IN ('monthly', 'annual')),
  provider             text NOT NULL CHECK (provider IN ('creem', 'bagelpay')),
  active               boolean NOT NULL,
  cancel_at_period_end boolean NOT NULL DEFAULT false,
  current_period_start timestamptz,
  expires_at           timestamptz,
  updated_at           timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT subscriptions_period CHECK (current_period_start IS NULL OR expires_at IS NULL OR current_period_start < expires_at)
);
