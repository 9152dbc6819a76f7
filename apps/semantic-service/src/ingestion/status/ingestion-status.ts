import { type FailingCategory, type IngestionState, instantFromDate, type Instant } from '@loci/contracts';
import { SWITCHED_OFF } from '../settings/ingestion-switch.js';
import { type Triggers } from '../backlog/backlog.js';

/** The job of a set, as it is kept. */
export interface IngestionStatus {
  readonly setId: string;
  readonly isOrgLevel: boolean;
  readonly state: IngestionState;
  readonly waiting: number;
  /** Of the messages of the project that asks; the others of a set that it shares are none of its business. */
  readonly oldestAt: Instant | undefined;
  /** Those among the waiting that no pass has taken up, and since when there are any. */
  readonly fresh: number;
  /** How many more messages than otherwise there must be: it is worth a call more then. */
  readonly putOff: number;
  readonly freshSince: Instant | undefined;
  readonly attempts: number;
  readonly leaseUntil: Instant | undefined;
  readonly runAfter: Instant;
  /** Why it was put off. */
  readonly code: string | undefined;
  readonly reason: string | undefined;
  readonly failing: readonly FailingCategory[];
  readonly deadLetters: number;
  readonly changedAt: Instant;
}

/** Why messages still wait, and when their set goes on at the latest. */
export interface Outlook {
  readonly code: string;
  readonly reason: string;
  readonly nextAttemptAt?: Instant | undefined;
}

/** What of the memory configuration says when messages are ingested. */
export interface IngestionSettings {
  readonly isOn: boolean;
  /** Undefined while the configuration is not known. */
  readonly triggers: Triggers | undefined;
}

export function outlookOf(
  status: IngestionStatus,
  { isOn, triggers }: IngestionSettings,
): Outlook | undefined {
  if (status.waiting === 0) return undefined;
  if (!isOn && status.state !== 'running') return { code: 'semantic_memory_disabled', reason: SWITCHED_OFF };
  switch (status.state) {
    case 'idle':
      return untilTriggered(status, triggers);
    case 'due':
      return {
        code: 'waiting_for_worker',
        reason: 'The set is due, and waits for a worker that has time.',
        nextAttemptAt: status.runAfter,
      };
    case 'running':
      return { code: 'being_ingested', reason: 'A worker is ingesting these messages.' };
    case 'retrying':
    case 'blocked':
      return {
        code: status.code ?? status.state,
        reason: status.reason ?? 'It goes on after a pause.',
        // as soon as the model is ready, whenever that is
        ...(status.code !== 'resource_not_ready' && { nextAttemptAt: status.runAfter }),
      };
  }
}

function untilTriggered(
  { fresh, freshSince, putOff }: IngestionStatus,
  triggers: Triggers | undefined,
): Outlook {
  const code = 'waiting_for_trigger';
  if (!triggers || freshSince === undefined) {
    return { code, reason: 'Ingestion begins when enough messages have come, or the oldest is old enough.' };
  }
  const dueAt = instantFromDate(new Date(Date.parse(freshSince) + triggers.ageSeconds * 1000));
  return {
    code,
    reason: `Ingestion begins with ${triggers.messages + putOff} messages (${fresh} have come), or ${triggers.ageSeconds} s after the oldest came.`,
    nextAttemptAt: dueAt,
  };
}
