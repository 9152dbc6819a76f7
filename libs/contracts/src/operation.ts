/** A class whose decorators say what is valid. */
export type Shape<T extends object> = new () => T;

export type ServiceName = 'config' | 'episodic' | 'semantic';

/** One request/reply operation of a service: its subject and the shapes on both sides. */
export interface Operation<Request extends object, Response extends object> {
  readonly subject: string;
  readonly service: ServiceName;
  readonly request: Shape<Request>;
  readonly response: Shape<Response>;
  /** How long a caller waits at most, unless its own deadline is nearer. */
  readonly timeoutMs: number;
}

/** What the texts of one answer may have together: `max_payload` of NATS is 8 MiB, and JSON adds to them. */
export const MAX_ANSWER_BYTES = 7 * 1024 * 1024;

/**
 * Declares an operation. Subject: `rpc.<service>.v1.<noun>.<verb>`.
 * @param name `<noun>.<verb>`, for example `episode.add`
 */
export function operation<Request extends object, Response extends object>(
  service: ServiceName,
  name: `${string}.${string}`,
  shapes: { request: Shape<Request>; response: Shape<Response> },
  timeoutMs = 10_000,
): Operation<Request, Response> {
  return { subject: `rpc.${service}.v1.${name}`, service, ...shapes, timeoutMs };
}
