import { type MigrationInterface } from 'typeorm';

/** What a version of a service expects of its schema. */
export interface SchemaMigrations {
  readonly schema: string;
  /** In any sequence: the 13 digits at the end of a class name decide. */
  readonly migrations: readonly (new () => MigrationInterface)[];
}

export interface MigrationsOptions extends SchemaMigrations {
  readonly url: string;
  /** Hears each time that a migration has to wait for other work on its tables. */
  readonly onWaiting?: (error: unknown) => void;
}
