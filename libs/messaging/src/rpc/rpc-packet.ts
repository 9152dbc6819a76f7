import { type ErrorPayload, fromErrorPayload, internal } from '@loci/contracts';

/** A request as Nest's NATS transport writes it. One without an `id` would be an event, which gets no answer. */
export interface RequestPacket {
  readonly pattern: string;
  readonly id: string;
  readonly data: unknown;
}

/** An answer as Nest's NATS transport writes it: `response`, or `err`. */
export interface ReplyPacket {
  readonly id?: string | undefined;
  readonly response?: unknown;
  readonly err?: ErrorPayload;
  readonly isDisposed: true;
}

/**
 * What an answer carries.
 * @throws AppError that the service answered with
 */
export function openReply(text: string): unknown {
  const { err, response } = JSON.parse(text) as { err?: unknown; response?: unknown };
  if (err === undefined) return response;
  throw isErrorPayload(err)
    ? fromErrorPayload(err)
    : internal('internal_error', 'Something went wrong on our side; try again later.', {}, err);
}

function isErrorPayload(value: unknown): value is ErrorPayload {
  if (typeof value !== 'object' || value === null) return false;
  const { code, message, details } = value as Partial<Record<keyof ErrorPayload, unknown>>;
  return (
    typeof code === 'string' && typeof message === 'string' && typeof details === 'object' && details !== null
  );
}
