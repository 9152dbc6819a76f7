import { type ServiceName, type Shape } from './operation.js';

/** One kind of message: an event (something happened), a work message (something is to be done), both kept by JetStream, or a signal. */
export interface MessageType<Payload extends object> {
  readonly subject: string;
  readonly payload: Shape<Payload>;
}

/** Declares an event, past tense. Subject: `evt.<service>.v1.<noun>.<verb-ed>`. */
export const event = <Payload extends object>(
  service: ServiceName,
  name: `${string}.${string}`,
  payload: Shape<Payload>,
): MessageType<Payload> => ({ subject: `evt.${service}.v1.${name}`, payload });

/** Declares a work message. Subject: `work.<service>.v1.<noun>.<verb>`. */
export const work = <Payload extends object>(
  service: ServiceName,
  name: `${string}.${string}`,
  payload: Shape<Payload>,
): MessageType<Payload> => ({ subject: `work.${service}.v1.${name}`, payload });

/**
 * Declares a signal: what all processes that name it tell each other in passing. No stream keeps it, and one that is missed
 * costs time only. Subject: `signal.v1.<noun>.<verb-ed>`.
 */
export const signal = <Payload extends object>(
  name: `${string}.${string}`,
  payload: Shape<Payload>,
): MessageType<Payload> => ({ subject: `signal.v1.${name}`, payload });
