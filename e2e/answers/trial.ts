import { type ApiDocument, type Operation, type WireAnswer } from '../harness/api-document.js';
import { eachOf } from './each-of.js';
import { exchange, type Input } from './exchange.js';
import { requestFor } from './requests.js';
import { type Callers, type World } from './world.js';

/** An operation with a request that it would grant. */
export interface Subject {
  readonly operation: Operation;
  readonly input: Input;
}

/** An answer that is not what the document says. */
interface Mismatch {
  readonly operation: string;
  readonly wrong: unknown;
}

/** How a request for an operation is sent. */
export type Send = (subject: Subject) => Promise<WireAnswer>;

/** Compares the answers of a product with its document, and knows which documented answers it has not seen yet. */
export class Trial {
  private readonly seen = new Map<Operation, Set<string>>();

  private constructor(
    private readonly document: ApiDocument,
    /** Every operation of the document. */
    readonly subjects: readonly Subject[],
  ) {}

  static async of(document: ApiDocument, world: World): Promise<Trial> {
    const subjects = await eachOf(document.operations, async (operation) => ({
      operation,
      input: await requestFor(operation, world),
    }));
    return new Trial(document, subjects);
  }

  /** Those whose document has an answer of this name. */
  documenting(name: string): Subject[] {
    return this.subjects.filter(({ operation }) => this.document.answersOf(operation).includes(name));
  }

  /** Those that not everybody may call. */
  get guarded(): Subject[] {
    return this.documenting('401 unauthenticated');
  }

  /**
   * Sends a request to each operation. Where the document has an answer of this name, it must be that one; elsewhere any
   * that the document has.
   */
  async provoke(
    name: string,
    subjects: readonly Subject[],
    send: Send,
    atOnce?: number,
  ): Promise<Mismatch[]> {
    const compared = await eachOf(
      subjects,
      async (subject) => this.compare(subject, await send(subject), name),
      atOnce,
    );
    return compared.flat();
  }

  /** What is wrong with an answer that is to have one of these names, unless the document has none of them. */
  compare({ operation }: Subject, answer: WireAnswer, ...expected: readonly string[]): Mismatch[] {
    const mismatch = (wrong: unknown): Mismatch[] => [{ operation: operation.operationId, wrong }];
    const contradiction = this.document.contradictions(operation, answer);
    if (contradiction !== undefined) return mismatch(contradiction);
    const names = this.document.namesOf(operation, answer);
    this.seen.set(operation, new Set([...(this.seen.get(operation) ?? []), ...names]));
    const wanted = this.document.answersOf(operation).filter((name) => expected.includes(name));
    if (wanted.length === 0 || wanted.some((name) => names.includes(name))) return [];
    return mismatch(`${answer.status} ${answer.text} instead of ${wanted.join(' or ')}`);
  }

  /** The answers that the document describes and no request got, by operation. */
  get unseen(): Record<string, string[]> {
    const left = this.document.operations.map((operation) => {
      const seen = this.seen.get(operation) ?? new Set();
      const names = this.document.answersOf(operation).filter((name) => !seen.has(name));
      return [operation.operationId, names] as const;
    });
    return Object.fromEntries(left.filter(([, names]) => names.length > 0));
  }
}

/** Who may call an operation. */
export function tokenFor({ path }: Operation, { admin, hosted, hostedAdmin }: Callers): string {
  if (path === '/v2/projects/delete') return hostedAdmin;
  return path.startsWith('/v2/') ? hosted : admin;
}

/** Sends what an operation would grant, by a caller that may send it. @param change what is different about the request */
export const sending =
  (url: string, callers: Callers, change: (input: Input) => Input = (input) => input): Send =>
  ({ operation, input }) =>
    exchange(url, operation, { ...change(input), token: tokenFor(operation, callers) });
