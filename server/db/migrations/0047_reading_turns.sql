-- Files are read by turns between their users (decision 85).
ALTER TABLE files ADD COLUMN turn bigint NOT NULL DEFAULT 0;
DROP INDEX files_due;
CREATE INDEX files_due ON files (turn, next_try_at) WHERE state = 'reading';
CREATE INDEX files_reading ON files (user_id, turn) WHERE state = 'reading';
