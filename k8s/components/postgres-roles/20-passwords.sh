#!/bin/sh
# Of the roles that 10-roles.sql makes; the image of PostgreSQL runs both when it creates its data directory.
set -eu
psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" \
  --set services="$LOCI_PASSWORD" --set migrations="$LOCI_MIGRATE_PASSWORD" <<'SQL'
ALTER ROLE loci PASSWORD :'services';
ALTER ROLE loci_migrate PASSWORD :'migrations';
SQL
