import {
  type AppError,
  fromErrorPayload,
  invalid,
  isUnanswered,
  type Operation,
  type Problem,
  rateLimited,
  toAppError,
  toErrorPayload,
  tooLarge,
} from '@loci/contracts';
import {
  type Logger,
  markFailed,
  type Metrics,
  openSpan,
  type OrganizationTurns,
  RequestContext,
  type RequestScope,
  SpanKind,
  within,
} from '@loci/platform';
import { type Msg } from '@nats-io/transport-node';
import { readScope } from '../headers.js';
import { parseShape } from '../shape/parse-shape.js';
import { deadlineExceeded, exceedsMaxPayload } from './rpc-failure.js';
import { type ReplyPacket, type RequestPacket } from './rpc-packet.js';
import { endOfTurn } from './turn-of-loop.js';

/** What serves one operation. */
export interface Endpoint {
  readonly operation: Operation<object, object>;
  readonly handle: (request: object) => Promise<unknown>;
  /** How many turns a request is worth; undefined: it takes none. See `HandleOptions`. */
  readonly turnsOf: ((request: object) => number) | undefined;
}

/**
 * Whether a message is a request of one who may ask. Permissions say who publishes to a subject, but the server itself sends
 * what it stores, and its own answers, wherever a client has it send them: those are to be confirmed, or not answered at all,
 * and have the subject that they were stored under.
 */
export const isRequest = ({ operation }: Endpoint, { subject, reply }: Msg): boolean =>
  subject === operation.subject && reply?.startsWith('_INBOX.') === true;

/** Turns one request message into its one answer, whatever happens in between. */
export class RequestAnswerer {
  private readonly seconds;
  private readonly results;

  constructor(
    private readonly logger: Logger,
    metrics: Metrics,
    private readonly turns: OrganizationTurns,
  ) {
    this.seconds = metrics.histogram('rpc_server_seconds', 'Time to answer a request.', ['operation']);
    this.results = metrics.counter('rpc_server_requests_total', 'Requests by operation and result.', [
      'operation',
      'result',
    ]);
  }

  /** Runs the request in its own context and answers. */
  async answer(endpoint: Endpoint, message: Msg): Promise<void> {
    const scope = this.scopeOf(endpoint, message);
    if (!scope) return;
    const operation = endpoint.operation.subject;
    const stop = this.seconds.startTimer({ operation });
    const span = openSpan(operation, {
      kind: SpanKind.SERVER,
      parent: scope.traceparent,
      attributes: { 'rpc.system': 'nats', 'loci.request_id': scope.requestId },
    });
    const work = async (): Promise<void> => {
      const reply = await this.execute(endpoint, message, scope);
      await endOfTurn();
      this.send(endpoint, message, reply);
      if (reply.err) markFailed(span, fromErrorPayload(reply.err));
      span?.end();
      this.logger.debug('answered', { operation, result: reply.err?.code ?? 'ok', seconds: stop() });
    };
    await RequestContext.run(scope, () => (span ? within(span, work) : work()));
  }

  /** It could not be answered, for a reason that was not foreseen. */
  fail({ operation: { subject: operation } }: Endpoint, error: unknown): void {
    this.logger.error('a request could not be answered', { operation, error });
  }

  /** What is no request is not handled, and has no answer. */
  ignore({ operation: { subject: operation } }: Endpoint, { subject, reply }: Msg): void {
    this.results.inc({ operation, result: 'no_request' });
    this.logger.error('what came is no request, and is not handled', { operation, subject, reply });
  }

  /** Turns the request away without looking at it: too many are being worked on. */
  refuse(endpoint: Endpoint, message: Msg): void {
    const error = rateLimited('overloaded', 'Too many requests at once; try again in a second.', {
      retryAfterSeconds: 1,
    });
    this.send(endpoint, message, failed(error));
  }

  /** @returns undefined when its headers cannot be read: then it was refused */
  private scopeOf(endpoint: Endpoint, message: Msg): RequestScope | undefined {
    try {
      // the driver, too, throws where they are none
      return readScope(message.headers);
    } catch {
      this.send(endpoint, message, failed(invalid('invalid_request', [UNREADABLE])));
      return undefined;
    }
  }

  private async execute(
    { operation, handle, turnsOf }: Endpoint,
    message: Msg,
    scope: RequestScope,
  ): Promise<ReplyPacket> {
    const { deadlineMs = Infinity } = scope;
    if (deadlineMs <= Date.now()) return failed(deadlineExceeded());
    let id: string | undefined;
    try {
      const packet = message.json<RequestPacket>();
      id = packet.id;
      const request = parseShape(operation.request, packet.data);
      const orgId = orgOf(request);
      const endTurn = await this.turns.take(turnsOf && orgId, turnsOf?.(request));
      const response = await RequestContext.run({ ...scope, orgId }, () => handle(request)).finally(endTurn);
      return { id, response, isDisposed: true };
    } catch (error) {
      const known = toAppError(error);
      this.report(operation, known);
      return failed(known, id);
    }
  }

  private send(endpoint: Endpoint, message: Msg, reply: ReplyPacket): void {
    const operation = endpoint.operation.subject;
    try {
      message.respond(JSON.stringify(reply));
      this.results.inc({ operation, result: reply.err?.code ?? 'ok' });
    } catch (error) {
      if (reply.err) {
        this.logger.warn('could not answer', { operation, error });
        return;
      }
      const known = exceedsMaxPayload(error) ? answerTooLarge(error) : toAppError(error);
      this.report(endpoint.operation, known);
      this.send(endpoint, message, failed(known, reply.id));
    }
  }

  /** Our own faults with their whole story, outages in a line; what a client did wrong is the client's. */
  private report({ subject }: Operation<object, object>, error: AppError): void {
    if (error.kind === 'internal') this.logger.error('request failed', { operation: subject, error });
    else if (isUnanswered(error)) {
      this.logger.warn('request could not be served', {
        operation: subject,
        code: error.code,
        error: error.cause,
      });
    }
  }
}

/** Requests about one project name it as their tenant. */
const orgOf = (request: { readonly tenant?: { readonly orgId?: unknown } }): string | undefined =>
  typeof request.tenant?.orgId === 'string' ? request.tenant.orgId : undefined;

const UNREADABLE: Problem = {
  loc: ['header'],
  msg: 'The headers of the request cannot be read.',
  type: 'headers',
};

const failed = (error: AppError, id?: string): ReplyPacket => ({
  id,
  err: toErrorPayload(error),
  isDisposed: true,
});

const answerTooLarge = (cause: unknown): AppError =>
  tooLarge('body_too_large', 'The answer is too large; ask for fewer items at once.', {}, cause);
