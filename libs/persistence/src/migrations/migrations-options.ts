import { type MigrationInterface } from 'typeorm';

export interface MigrationsOptions {
  readonly url: string;
  readonly schema: string;
  /** In any sequence: the 13 digits at the end of a class name decide. */
  readonly migrations: readonly (new () => MigrationInterface)[];
}
