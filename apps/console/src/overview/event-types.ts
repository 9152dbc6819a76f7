import { type LociEvent } from '@loci/client';
import { type Tone } from '../ui/badge.js';

/** A type of the events that happen; `stream.reset` is about the stream itself. */
export type EventType = Exclude<LociEvent['type'], 'stream.reset'>;

/** Every type of event, and how it is coloured. */
export const EVENT_TONES: Readonly<Record<EventType, Tone>> = {
  'features.changed': 'accent',
  'proposal.added': 'warn',
  'dead_letter.added': 'bad',
  'deletion.done': 'plain',
  'relearning.done': 'plain',
  'project.deleted': 'plain',
  'webhook.disabled': 'bad',
  'model.ready': 'good',
  'model.failed': 'bad',
};

export const EVENT_TYPES = Object.keys(EVENT_TONES) as EventType[];
