import {
  type AccessBounds,
  areWithin,
  type AuditRecord,
  invalid,
  MAX_AUDITED_RESOURCE_BYTES,
  MAX_AUDITED_RESOURCES,
} from '@loci/contracts';
import { type FastifyRequest } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import { isKnown, type KnownCaller } from '../access/caller.js';
import { recordableIds } from './audited-ids.js';
import { type AuditRule } from './audited-operations.js';
import { type AuditTrail } from './audit-trail.js';

/** Who asks for an operation, and over what. */
export interface OperationOrigin {
  readonly caller: KnownCaller;
  readonly requestId: string;
  /** The address of the client, as far as the proxies in between can be trusted. */
  readonly clientAddress: string;
}

/** What an operation is about. */
export interface OperationSubject {
  readonly tenant?: AccessBounds | undefined;
  /** The ids that it names or has created. */
  readonly ids?: readonly string[];
}

/** One operation of a known caller, from its beginning to its outcome, as the audit sees it. */
export class AuditedOperation {
  private readonly id = uuidv7();
  private readonly at = new Date().toISOString();
  private begun = false;
  private ended = false;

  /** @param operation what records call it: the method and route of a request, or the name of a tool */
  constructor(
    private readonly operation: string,
    private readonly rule: AuditRule,
    private readonly origin: OperationOrigin,
    private readonly trail: Pick<AuditTrail, 'note' | 'keep'>,
  ) {}

  /** Whether it must not happen without a record. */
  get isRecordedFirst(): boolean {
    return this.rule === 'first';
  }

  /**
   * Stores that the operation begins, if it must not happen without a record.
   * @throws AppError `invalid_request` for more ids than a record names, and what the audit says when it cannot store it; the
   * operation must then not begin
   */
  async begin(subject: OperationSubject): Promise<void> {
    if (!this.isRecordedFirst) return;
    const distinct = [...new Set(subject.ids)];
    if (recordableIds(distinct).length < distinct.length) throw tooManyIds();
    await this.trail.keep(this.recordOf(subject, undefined, undefined));
    this.begun = true;
  }

  /**
   * Stores the outcome of an operation that began, before its answer leaves. If that fails it can be stored later: by
   * `close`.
   */
  async end(subject: OperationSubject, status: number, code: string | undefined): Promise<void> {
    if (!this.begun) return;
    try {
      await this.trail.keep(this.recordOf(subject, status, code));
      this.ended = true;
    } catch {
      // the message store takes it when the operation is closed
    }
  }

  /** Notes the outcome unless it is stored or noted by now. To be called when the answer is out or its client gone. */
  close(subject: OperationSubject, status: number, code: string | undefined): void {
    if (this.ended || !this.isNoted(subject, status)) return;
    this.ended = true;
    this.trail.note(this.recordOf(subject, status, code));
  }

  private isNoted({ tenant }: OperationSubject, status: number): boolean {
    if (this.rule === 'first' || this.rule === 'later') return true;
    if (status < 400) return false;
    return this.rule === 'refused' || ownerOf(this.origin.caller.bounds, tenant).foreign.length > 0;
  }

  private recordOf(
    { tenant, ids = [] }: OperationSubject,
    status: number | undefined,
    code: string | undefined,
  ): AuditRecord {
    const { caller, requestId, clientAddress } = this.origin;
    const { about, foreign } = ownerOf(caller.bounds, tenant);
    const distinct = [...new Set([...foreign, ...ids])];
    return {
      id: this.id,
      at: this.at,
      requestId,
      clientAddress,
      actorKind: caller.kind,
      actor: caller.id,
      actorOrgId: caller.bounds.orgId,
      operation: this.operation,
      orgId: about.orgId,
      projectId: about.projectId,
      resources: recordableIds(distinct),
      resourceCount: distinct.length,
      status,
      code,
    };
  }
}

/**
 * Whose audit has the record: of what the caller named, if that is the caller's to reach. Otherwise it was refused, and is
 * noted where the caller is, with the name of what was asked for: those who may end the key see it, and a stranger
 * writes nothing into the audit of others.
 */
function ownerOf(
  bounds: AccessBounds,
  tenant: AccessBounds | undefined,
): { readonly about: AccessBounds; readonly foreign: readonly string[] } {
  if (tenant === undefined) return { about: bounds, foreign: [] };
  const about = { orgId: tenant.orgId ?? bounds.orgId, projectId: tenant.projectId };
  if (areWithin(about, bounds)) return { about, foreign: [] };
  return { about: bounds, foreign: [[about.orgId, about.projectId].filter(Boolean).join('/')] };
}

const tooManyIds = (): Error =>
  invalid('invalid_request', [
    {
      loc: ['body'],
      msg: `Name at most ${MAX_AUDITED_RESOURCES} ids of ${MAX_AUDITED_RESOURCE_BYTES} bytes in all at once, fields that nothing reads included: the audit records each`,
      type: 'too_long',
    },
  ]);

/** @returns undefined where no authentication is required */
export function auditedOperation(
  operation: string,
  rule: AuditRule,
  request: FastifyRequest,
  trail: Pick<AuditTrail, 'note' | 'keep'>,
): AuditedOperation | undefined {
  const { caller } = request;
  if (!isKnown(caller)) return undefined;
  const origin = { caller, requestId: request.id, clientAddress: request.clientAddress };
  return new AuditedOperation(operation, rule, origin, trail);
}
