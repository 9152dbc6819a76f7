-- Who may do what in the database of Loci. For a superuser, in that database, before the first migration; doing it again
-- does no harm. Passwords are set elsewhere.
--   loci_migrate  owns the database and everything that migrations make in it
--   loci          is what services log in as: it reads and writes rows, and row security holds it
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'loci_migrate') THEN CREATE ROLE loci_migrate; END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'loci') THEN CREATE ROLE loci; END IF;
END $$;
ALTER ROLE loci_migrate LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEROLE NOCREATEDB NOREPLICATION;
ALTER ROLE loci LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEROLE NOCREATEDB NOREPLICATION;

DO $$ BEGIN
  EXECUTE format('ALTER DATABASE %I OWNER TO loci_migrate', current_database());
  EXECUTE format('REVOKE ALL ON DATABASE %I FROM PUBLIC', current_database());
  EXECUTE format('GRANT CONNECT ON DATABASE %I TO loci', current_database());
END $$;
REVOKE ALL ON SCHEMA public FROM PUBLIC;

ALTER DEFAULT PRIVILEGES FOR ROLE loci_migrate GRANT USAGE ON SCHEMAS TO loci;
ALTER DEFAULT PRIVILEGES FOR ROLE loci_migrate GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO loci;
ALTER DEFAULT PRIVILEGES FOR ROLE loci_migrate GRANT USAGE ON SEQUENCES TO loci;
