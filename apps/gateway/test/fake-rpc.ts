import { type Operation, recordAudit } from '@loci/contracts';
import { parseShape, type RpcClient } from '@loci/messaging';

type Answer = (request: never) => unknown;

/**
 * Stands for the services. An operation without a stub fails, but for the audit, and so does a request that its service
 * would refuse.
 */
export class FakeRpc implements Pick<RpcClient, 'call'> {
  /** Subjects that were called although nothing was stubbed. */
  readonly unexpected: string[] = [];
  private readonly answers = new Map<string, Answer>();
  private readonly received = new Map<string, object[]>();

  constructor() {
    this.reset();
  }

  /** @param answer what the service says, or throws */
  on<Request extends object, Response extends object>(
    { subject }: Operation<Request, Response>,
    answer: (request: Request) => Response | Promise<Response>,
  ): this {
    this.answers.set(subject, answer);
    return this;
  }

  /** The requests that an operation was called with, as the service receives them. */
  requests<Request extends object>({ subject }: Operation<Request, object>): readonly Request[] {
    return (this.received.get(subject) ?? []) as Request[];
  }

  reset(): void {
    this.answers.clear();
    this.on(recordAudit, () => ({}));
    this.received.clear();
    this.unexpected.length = 0;
  }

  async call<Request extends object, Response extends object>(
    operation: Operation<Request, Response>,
    request: Request,
  ): Promise<Response> {
    const { subject } = operation;
    const answer = this.answers.get(subject);
    if (!answer) {
      this.unexpected.push(subject);
      throw new Error(`${subject} was called without a stub.`);
    }
    const received = parseShape(operation.request, JSON.parse(JSON.stringify(request)));
    this.received.set(subject, [...(this.received.get(subject) ?? []), received]);
    return JSON.parse(JSON.stringify(await answer(received as never))) as Response;
  }
}
