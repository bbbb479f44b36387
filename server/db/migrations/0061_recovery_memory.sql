-- A recovery code is verified with the memory that it was hashed with: PASSWORD_HASH_MEMORY_KIB may be another one by then.
ALTER TABLE second_factors ADD COLUMN recovery_memory_kib integer;
