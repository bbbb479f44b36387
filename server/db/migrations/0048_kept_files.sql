-- What a user keeps of a browser's run (decision 86): a file of the conversation, once for each thing that the run showed.
ALTER TABLE files ADD COLUMN kept_of uuid, ADD COLUMN kept_what text;
ALTER TABLE files ADD CONSTRAINT files_kept_of_fkey FOREIGN KEY (kept_of) REFERENCES messages ON DELETE CASCADE NOT VALID;
ALTER TABLE files ADD CONSTRAINT files_kept CHECK ((kept_of IS NULL) = (kept_what IS NULL)) NOT VALID;
CREATE UNIQUE INDEX files_kept_once ON files (kept_of, kept_what) WHERE kept_of IS NOT NULL;
