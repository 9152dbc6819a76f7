/** A service that has a schema of its own, which is called as it is. */
export type SchemaOwner = 'config' | 'episodic' | 'semantic';

/** Runs migrations, restores and backups: owns the database and the three schemas. No superuser, because superusers bypass row security. */
export const MIGRATION_ROLE = 'loci_migrate';

/** What the processes of a service log in as. */
export const roleOf = (service: SchemaOwner): string => `loci_${service}`;

const SCHEMA_OWNERS: readonly SchemaOwner[] = ['config', 'episodic', 'semantic'];

/** Whether a service has a schema. */
export const isSchemaOwner = (service: string): service is SchemaOwner =>
  SCHEMA_OWNERS.some((owner) => owner === service);

const roles = [MIGRATION_ROLE, ...SCHEMA_OWNERS.map(roleOf)];

/** What services ask for when they connect: a pooler does not pass it on. */
const SESSION = { timezone: 'UTC', statement_timeout: '10s', idle_in_transaction_session_timeout: '60s' };

/** One statement ends where a semicolon and an empty line are: the single-user server reads it so. */
const statements = (...all: readonly string[]): string => all.map((one) => `${one};\n`).join('\n');

/**
 * Makes the roles of a database and the schemas. For a superuser, in that database; doing it again does no harm. What a role
 * may do with the tables that exist is given to it once: a migration may take a part of it away.
 */
export const ROLES_SQL = statements(
  `DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${MIGRATION_ROLE}') THEN CREATE ROLE ${MIGRATION_ROLE}; END IF;
  EXECUTE format('ALTER DATABASE %I OWNER TO ${MIGRATION_ROLE}', current_database());
  EXECUTE format('REVOKE ALL ON DATABASE %I FROM PUBLIC', current_database());
END $$`,
  'REVOKE ALL ON SCHEMA public FROM PUBLIC',
  ...SCHEMA_OWNERS.map((schema) => `CREATE SCHEMA IF NOT EXISTS ${schema} AUTHORIZATION ${MIGRATION_ROLE}`),
  ...SCHEMA_OWNERS.flatMap((schema) => [
    `DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${roleOf(schema)}') THEN CREATE ROLE ${roleOf(schema)}; END IF;
  IF NOT has_schema_privilege('${roleOf(schema)}', '${schema}', 'USAGE') THEN
    GRANT USAGE ON SCHEMA ${schema} TO ${roleOf(schema)};
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO ${roleOf(schema)};
    GRANT USAGE ON ALL SEQUENCES IN SCHEMA ${schema} TO ${roleOf(schema)};
  END IF;
  EXECUTE format('GRANT CONNECT ON DATABASE %I TO ${roleOf(schema)}', current_database());
END $$`,
    `ALTER DEFAULT PRIVILEGES FOR ROLE ${MIGRATION_ROLE} IN SCHEMA ${schema}
  GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO ${roleOf(schema)}`,
    `ALTER DEFAULT PRIVILEGES FOR ROLE ${MIGRATION_ROLE} IN SCHEMA ${schema} GRANT USAGE ON SEQUENCES TO ${roleOf(schema)}`,
  ]),
  ...roles.flatMap((role) => [
    `ALTER ROLE ${role} LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEROLE NOCREATEDB NOREPLICATION`,
    `ALTER ROLE ${role} RESET ALL`,
    `DO $$ BEGIN EXECUTE format('ALTER ROLE ${role} IN DATABASE %I RESET ALL', current_database()); END $$`,
  ]),
  ...SCHEMA_OWNERS.flatMap((schema) =>
    Object.entries(SESSION).map(([name, value]) => `ALTER ROLE ${roleOf(schema)} SET ${name} = '${value}'`),
  ),
);

/** Hands over what the one role of all services had that there was before, and removes it. */
export const RETIRE_FORMER_ROLE_SQL = statements(
  `DO $$ BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'loci') THEN
    REASSIGN OWNED BY loci TO ${MIGRATION_ROLE};
    DROP OWNED BY loci;
    DROP ROLE loci;
  END IF;
END $$`,
);

/** @param passwords of letters and digits, which need no quoting */
export const passwordsSql = (passwords: Readonly<Record<'migrate' | SchemaOwner, string>>): string =>
  statements(
    ...Object.entries(passwords).map(([name, password]) => `ALTER ROLE loci_${name} PASSWORD '${password}'`),
  );
