import { type Operation } from '@loci/contracts';
import { inSpan, RequestContext, SpanKind } from '@loci/platform';
import { type Msg } from '@nats-io/transport-node';
import { Injectable } from '@nestjs/common';
import { NatsLink } from '../connection/nats-link.js';
import { authorField, deadlineField, scopeFields, toHeaders } from '../headers.js';
import { AnswerInbox } from './answer-inbox.js';
import { deadlineExceeded, rpcFailure } from './rpc-failure.js';
import { openReply, type RequestPacket } from './rpc-packet.js';
import { endOfTurn } from './turn-of-loop.js';

export interface CallOptions {
  /** Instead of the time that the operation allows. The deadline of the current request still counts. */
  readonly timeoutMs?: number;
}

/** Sends requests to other services. It does not retry: the caller decides whether to repeat a request. */
@Injectable()
export class RpcClient {
  private sent = 0;
  private readonly inboxes = new Map<string, AnswerInbox>();

  constructor(private readonly link: NatsLink) {}

  /**
   * Asks for an operation within the deadline of the current request.
   * @returns the answer as plain data in the shape of the operation's response
   * @throws AppError the service's own; `service_unavailable` when no process serves the operation or NATS is down, both at
   * once; `deadline_exceeded`; `body_too_large`
   */
  async call<Request extends object, Response extends object>(
    { subject, timeoutMs: allowedMs }: Operation<Request, Response>,
    request: Request,
    { timeoutMs = allowedMs }: CallOptions = {},
  ): Promise<Response> {
    const packet: RequestPacket = { pattern: subject, id: String(++this.sent), data: request };
    return inSpan(subject, { kind: SpanKind.CLIENT, attributes: { 'rpc.system': 'nats' } }, async () => {
      try {
        const reply = await this.ask(subject, JSON.stringify(packet), timeoutMs);
        RequestContext.current()?.takeReply?.(reply.data.length);
        return openReply(reply.string()) as Response;
      } catch (error) {
        throw rpcFailure(error);
      }
    });
  }

  private async ask(subject: string, body: string, allowedMs: number): Promise<Msg> {
    const scope = RequestContext.current();
    const now = Date.now();
    const deadlineMs = Math.min(now + allowedMs, scope?.deadlineMs ?? Infinity);
    const timeoutMs = deadlineMs - now;
    if (timeoutMs < 1) throw deadlineExceeded();
    const headers = toHeaders({
      ...scopeFields(scope),
      ...deadlineField(deadlineMs),
      ...authorField(scope?.author),
    });
    await endOfTurn();
    return this.link.whileConnected(() => this.inboxOf(subject).ask({ subject, body, headers, timeoutMs }));
  }

  private inboxOf(subject: string): AnswerInbox {
    const service = serviceOf(subject);
    const inbox = this.inboxes.get(service) ?? new AnswerInbox(this.link, service);
    this.inboxes.set(service, inbox);
    return inbox;
  }
}

/** `rpc.<service>.v1.…` */
const serviceOf = (subject: string): string => subject.split('.')[1] ?? '';
