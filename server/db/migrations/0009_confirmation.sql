-- When whoever sits at a session last proved to be its user; signing in is a proof. Some acts ask for a fresh one.

ALTER TABLE sessions ADD COLUMN confirmed_at timestamptz;
UPDATE sessions SET confirmed_at = created_at;
ALTER TABLE sessions ALTER COLUMN confirmed_at SET DEFAULT now();
ALTER TABLE sessions ALTER COLUMN confirmed_at SET NOT NULL;
