-- What was made for an answer (decision 75): a picture, a plot, a screenshot. It belongs to its message, and goes with it.
ALTER TABLE files ADD COLUMN message_id uuid;
ALTER TABLE files ADD CONSTRAINT files_message_id_fkey FOREIGN KEY (message_id) REFERENCES messages ON DELETE CASCADE NOT VALID;
ALTER TABLE files DROP CONSTRAINT files_home;
ALTER TABLE files ADD CONSTRAINT files_home
  CHECK ((conversation_id IS NULL AND message_id IS NULL) = (expires_at IS NOT NULL)) NOT VALID;
ALTER TABLE files ADD CONSTRAINT files_home_ready CHECK (expires_at IS NOT NULL OR state = 'ready') NOT VALID;
CREATE INDEX files_message ON files (message_id) WHERE message_id IS NOT NULL;
