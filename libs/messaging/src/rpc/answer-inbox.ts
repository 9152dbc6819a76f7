import { randomBytes } from 'node:crypto';
import { errors, type Msg, type MsgHdrs } from '@nats-io/transport-node';
import { type NatsLink } from '../connection/nats-link.js';

export interface Question {
  readonly subject: string;
  readonly body: string;
  readonly headers: MsgHdrs;
  readonly timeoutMs: number;
}

interface Waiting {
  readonly subject: string;
  readonly end: (outcome: Msg | Error) => void;
}

/**
 * Where the answers of one service to one process come. No other service may send there, and none is told what it is called:
 * the driver's own inbox is one for all whom the process asks, and each of them could answer for the others.
 */
export class AnswerInbox {
  private readonly subject: string;
  private readonly waiting = new Map<string, Waiting>();
  private asked = 0;

  /** @param service whose answers they are */
  constructor(
    private readonly link: NatsLink,
    service: string,
  ) {
    this.subject = `${link.inboxPrefix}.${service}.${randomBytes(16).toString('hex')}`;
    link.subscribe(`${this.subject}.*`, {
      onMessage: (message) => this.take(message),
      onMissed: () => this.fail(() => true, new Error('NATS does not permit hearing the answers.')),
    });
    link.onRefused((refused, error) => this.fail(({ subject }) => subject === refused, error));
  }

  /** @throws what the driver throws: `RequestError` when no process answers, or the server does not permit the request; `TimeoutError` */
  ask({ subject, body, headers, timeoutMs }: Question): Promise<Msg> {
    const token = String(++this.asked);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => end(new errors.TimeoutError()), timeoutMs);
      const end = (outcome: Msg | Error): void => {
        clearTimeout(timer);
        this.waiting.delete(token);
        if (outcome instanceof Error) reject(outcome);
        else resolve(outcome);
      };
      this.waiting.set(token, { subject, end });
      try {
        this.link.connection.publish(subject, body, { reply: `${this.subject}.${token}`, headers });
      } catch (error) {
        end(error instanceof Error ? error : new Error(String(error)));
      }
    });
  }

  /** Where JetStream sends a message on request, it has the subject that it was stored under: such a one answers nothing. */
  private take(message: Msg): void {
    const asked = this.waiting.get(message.subject.slice(this.subject.length + 1));
    if (!message.subject.startsWith(`${this.subject}.`) || !asked) return;
    asked.end(isUnserved(message) ? requestError(new errors.NoRespondersError(asked.subject)) : message);
  }

  private fail(isMeant: (waiting: Waiting) => boolean, cause: Error): void {
    for (const waiting of [...this.waiting.values()].filter(isMeant)) waiting.end(requestError(cause));
  }
}

/** So the server says that no one listens to the subject. */
const isUnserved = ({ data, headers }: Msg): boolean => data.length === 0 && headers?.code === 503;

const requestError = (cause: Error): Error => new errors.RequestError(cause.message, { cause });
