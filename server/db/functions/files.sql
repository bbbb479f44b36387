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

-- Trigger. A copy that a provider keeps is deleted by a job when its file goes or another copy takes its place.
CREATE OR REPLACE FUNCTION remove_file_copy() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO file_removals (kind, project, target, next_try_at) VALUES ('copy', OLD.project, OLD.name, '-infinity');
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER file_copies_remove AFTER DELETE ON file_copies FOR EACH ROW EXECUTE FUNCTION remove_file_copy();
CREATE OR REPLACE TRIGGER file_copies_replace AFTER UPDATE OF name ON file_copies FOR EACH ROW
  WHEN (OLD.name <> NEW.name) EXECUTE FUNCTION remove_file_copy();
