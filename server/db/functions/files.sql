-- Triggers of files. Applied again when this text changes; CONTRIBUTING.md says how to change one.

CREATE OR REPLACE TRIGGER files_refuse_leaving BEFORE INSERT ON files FOR EACH ROW EXECUTE FUNCTION refuse_leaving();

-- Trigger. What a deleted file has in S3 lies under its id and is deleted by a job, whatever deleted the row.
CREATE OR REPLACE FUNCTION remove_file_objects() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO file_removals (kind, target, next_try_at) VALUES ('objects', OLD.id || '/', '-infinity');
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER files_remove_objects AFTER DELETE ON files FOR EACH ROW
  WHEN (OLD.storage = 's3') EXECUTE FUNCTION remove_file_objects();

-- Deletes what was made for an answer and stands in none of its parts: of a process that died between the two, of an answer that failed.
-- Called by end_message and interrupt_messages, in their transactions.
CREATE OR REPLACE FUNCTION delete_unnamed_files(p_message uuid, p_output jsonb) RETURNS void LANGUAGE sql AS $$
  DELETE FROM files f
   WHERE f.message_id = p_message
     AND NOT EXISTS (SELECT FROM jsonb_array_elements(p_output -> 'parts') part WHERE part ->> 'fileId' = f.id::text);
$$;

-- Trigger. A copy that a provider keeps is deleted by a job when its file goes, and an hour after another copy took its place: the
-- question of another answer may name it meanwhile.
CREATE OR REPLACE FUNCTION remove_file_copy() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO file_removals (kind, project, target, next_try_at)
  VALUES ('copy', OLD.project, OLD.name, CASE TG_OP WHEN 'UPDATE' THEN now() + interval '1 hour' ELSE '-infinity' END);
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER file_copies_remove AFTER DELETE ON file_copies FOR EACH ROW EXECUTE FUNCTION remove_file_copy();
CREATE OR REPLACE TRIGGER file_copies_replace AFTER UPDATE OF name ON file_copies FOR EACH ROW
  WHEN (OLD.name <> NEW.name) EXECUTE FUNCTION remove_file_copy();

-- Trigger. The length of the text that was found in a file. A workbook of 4 kB may have 50 MB of it: the file counts for the longer one.
CREATE OR REPLACE FUNCTION count_text() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE files SET text_bytes = text_bytes + coalesce(NEW.length, 0) - coalesce(OLD.length, 0)
   WHERE id = coalesce(NEW.file_id, OLD.file_id);
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER file_chunks_count_new AFTER INSERT ON file_chunks FOR EACH ROW
  WHEN (NEW.part = 'text') EXECUTE FUNCTION count_text();
CREATE OR REPLACE TRIGGER file_chunks_count_old AFTER DELETE ON file_chunks FOR EACH ROW
  WHEN (OLD.part = 'text') EXECUTE FUNCTION count_text();

-- Trigger. What the files of a user take. It comes at the end of a transaction, which waits for nothing once it has the user's row: so
-- nobody waits for this row in a circle. Who deletes files of several users locks their rows in one order before the end.
CREATE OR REPLACE FUNCTION count_file() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_change bigint := coalesce(greatest(NEW.bytes, NEW.text_bytes), 0) - coalesce(greatest(OLD.bytes, OLD.text_bytes), 0);
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO file_usage AS u (user_id, bytes) VALUES (NEW.user_id, v_change)
    ON CONFLICT (user_id) DO UPDATE SET bytes = u.bytes + excluded.bytes;
  ELSIF v_change <> 0 THEN
    UPDATE file_usage SET bytes = bytes + v_change WHERE user_id = OLD.user_id;
  END IF;
  RETURN NULL;
END $$;
-- Locks the counters of users in one order. Called by statements that delete files of several users: they would wait for each other in a
-- circle when they commit. Out: how many there are.
CREATE OR REPLACE FUNCTION lock_file_usage(p_users uuid[]) RETURNS integer LANGUAGE sql AS $$
  SELECT count(*)::int FROM (SELECT FROM file_usage WHERE user_id = ANY (p_users) ORDER BY user_id FOR NO KEY UPDATE) locked
$$;
-- files_count is not dropped and made again: what waits for the end of a migration would not be counted, and readers of files would wait.
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_trigger WHERE tgrelid = 'files'::regclass AND tgname = 'files_count') THEN
    CREATE CONSTRAINT TRIGGER files_count AFTER INSERT OR UPDATE OF bytes, text_bytes OR DELETE ON files
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_file();
  END IF;
END $$;
