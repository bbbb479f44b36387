-- A copy that is kept, and a file that is begun, look for what is still to be deleted by its name.
CREATE INDEX file_removals_of_target ON file_removals (target);
-- Whose the mails to an address are is noted while the row of its user is locked.
CREATE INDEX mails_to_address ON mails (to_address);
