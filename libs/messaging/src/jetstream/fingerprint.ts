import { createHash } from 'node:crypto';
import { type JsMsg } from '@nats-io/jetstream';

/** The same for every message with the same subject and body, whenever and by whatever stream it comes. */
export const fingerprintOf = ({ subject, data }: Pick<JsMsg, 'subject' | 'data'>): string =>
  createHash('sha256').update(`${subject}\n`).update(data).digest('hex');
