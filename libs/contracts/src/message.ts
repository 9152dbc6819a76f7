import { type ServiceName, type Shape } from './operation.js';

/** One kind of JetStream message: an event (something happened) or a work message (something is to be done). */
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
