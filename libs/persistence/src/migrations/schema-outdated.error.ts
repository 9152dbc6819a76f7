import { StartError } from '@loci/platform';

/** A process could not start because its schema is older than its code; the message names what is missing. */
export class SchemaOutdatedError extends StartError {
  override readonly name = 'SchemaOutdatedError';

  constructor(schema: string, missing: readonly string[]) {
    super(
      `The schema ${schema} lacks migrations of this version (${missing.join(', ')}): ` +
        'run the migrate.main.js of the service, and look at its log if it has failed.',
    );
  }
}
