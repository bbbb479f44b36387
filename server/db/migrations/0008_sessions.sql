-- When a session was last seen, to within some minutes: what its owner is shown.

ALTER TABLE sessions ADD COLUMN used_at timestamptz;
UPDATE sessions SET used_at = created_at;
ALTER TABLE sessions ALTER COLUMN used_at SET DEFAULT now();
ALTER TABLE sessions ALTER COLUMN used_at SET NOT NULL;
