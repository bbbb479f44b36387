-- The live picture of a browser run shows what its user types: it is to be in no write-ahead log, and so in no copy made from one.
ALTER TABLE computer_frames SET UNLOGGED;
