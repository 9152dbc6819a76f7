#!/bin/sh
# Of the roles that 10-roles.sql makes; the image of PostgreSQL runs both when it creates its data directory.
set -eu
psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" \
  --set migrate="$LOCI_MIGRATE_PASSWORD" --set config="$LOCI_CONFIG_PASSWORD" \
  --set episodic="$LOCI_EPISODIC_PASSWORD" --set semantic="$LOCI_SEMANTIC_PASSWORD" <<'SQL'
ALTER ROLE loci_migrate PASSWORD :'migrate';
ALTER ROLE loci_config PASSWORD :'config';
ALTER ROLE loci_episodic PASSWORD :'episodic';
ALTER ROLE loci_semantic PASSWORD :'semantic';
SQL
