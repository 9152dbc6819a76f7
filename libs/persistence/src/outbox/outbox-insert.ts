import { type MessageType } from '@loci/contracts';
import { type HeaderFields, scopeFields } from '@loci/messaging';
import { RequestContext } from '@loci/platform';
import { v7 as uuidv7 } from 'uuid';
import { qualified } from '../statements/qualified-name.js';

/** A statement and the values of its parameters. */
export interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** The current request, as the `headers` of an outbox row: what the message causes belongs to the same trace. */
export const outboxHeaders = (): HeaderFields => scopeFields(RequestContext.current());

/**
 * The insert of one message into the outbox, to stand alone or in a `WITH` beside the data that it announces: then both
 * are stored in one round trip.
 * @param firstParameter number of its first parameter; it has four
 */
export function outboxInsertSql<Payload extends object>(
  schema: string,
  { subject }: MessageType<Payload>,
  payload: Payload,
  firstParameter: number,
): Statement {
  const [id, name, body, headers] = [0, 1, 2, 3].map((offset) => `$${firstParameter + offset}`);
  return {
    sql:
      `INSERT INTO ${qualified(schema, 'outbox')} (id, subject, payload, headers) ` +
      `VALUES (${id}::uuid, ${name}::text, ${body}::jsonb, ${headers}::jsonb)`,
    parameters: [uuidv7(), subject, JSON.stringify(payload), JSON.stringify(outboxHeaders())],
  };
}
