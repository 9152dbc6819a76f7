import { NOTIFICATION_TYPES, type NotificationType } from '@loci/contracts';
import { boolean, byDefault, described, optional, parsed, Unreadable } from '@loci/platform/schema';
import { identifier } from '../wire/schema/identifier.js';
import { request } from '../wire/schema/request.js';

const NAMED = NOTIFICATION_TYPES.map((type) => `\`${type}\``).join(', ');

const eventTypes = parsed<readonly NotificationType[]>({ type: 'string', maxLength: 1_000 }, (value) =>
  typeof value === 'string' ? typesIn(value) : NO_TYPES,
);

const NO_TYPES = Unreadable.as({
  type: 'event_types',
  msg: `Input should be types of events, separated by commas: ${NOTIFICATION_TYPES.join(', ')}`,
});

function typesIn(text: string): readonly NotificationType[] | Unreadable {
  const names = text.split(',').map((name) => name.trim());
  const known = NOTIFICATION_TYPES.filter((type) => names.includes(type));
  return names.every((name) => known.some((type) => type === name)) ? known : NO_TYPES;
}

/** Where a client was in the stream: the `id` of the last event that it got. */
const eventPosition = parsed<number>({ type: 'string', pattern: '^[0-9]{1,16}$' }, (value) =>
  typeof value === 'string' ? positionIn(value) : NO_POSITION,
);

const NO_POSITION = Unreadable.as({
  type: 'event_position',
  msg: 'Input should be the id of an event of this stream, or 0 for all that are kept',
});

const positionIn = (text: string): number | Unreadable =>
  /^\d{1,16}$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : NO_POSITION;

export class EventsQuery extends request('EventsQuery', {
  org_id: described(
    optional(identifier),
    'Only events of this organization. Absent = all that the caller may see.',
    'acme',
  ),
  project_id: described(
    optional(identifier),
    'Only events of this project, with `org_id`. Absent = all that the caller may see.',
    'travel-agent',
  ),
  types: described(
    optional(eventTypes),
    `Only events of these types, separated by commas: ${NAMED}. Absent = all.`,
    'features.changed,deletion.done',
  ),
  last_event_id: described(
    optional(eventPosition),
    'Goes on behind the event with this `id` in the stream; 0 = from the oldest that is kept. The header `Last-Event-ID`, which clients send by themselves when they connect again, comes first. Absent = from now on.',
    '1763889804123456',
  ),
  follow: described(
    byDefault(boolean, true),
    'Whether the answer goes on as long as the client listens. `false` = it ends with the last event that there is.',
  ),
}) {}

/** The header of this name, which counts more than the query. */
export class LastEventId extends request('LastEventId', { 'last-event-id': optional(eventPosition) }) {}
