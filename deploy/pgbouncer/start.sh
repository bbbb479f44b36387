#!/bin/sh
# In the container: writes the one user's password where PgBouncer reads it, and becomes PgBouncer.
set -eu
umask 077
printf '"parley" "%s"\n' "$(printf %s "$POSTGRES_PASSWORD" | sed 's/"/""/g')" > /run/pgbouncer/users.txt
exec pgbouncer /etc/pgbouncer/pgbouncer.ini
