import { type AccessBounds, type AccessScope, type ActorKind } from '@loci/contracts';

/** On whose behalf a request comes, what it may do, and where. */
export interface Caller {
  readonly kind: ActorKind | 'anyone';
  /** The id of an API key, the subject of a JWT, or the name of a token of the deployment; never a secret. */
  readonly id: string;
  readonly scopes: readonly AccessScope[];
  readonly bounds: AccessBounds;
  /** What its administrators call an API key. */
  readonly name?: string | undefined;
  /** The only producer that it speaks for; absent = any. */
  readonly producer?: string | undefined;
  /** When what it shows that it is the caller ends, in milliseconds since 1970; absent = never. */
  readonly endsAtMs?: number | undefined;
  /** Whether it shows a secret that a rotation has replaced, in its grace. */
  readonly isFormer?: boolean | undefined;
  /** Whether its request has waited until the config service said whose key it is. */
  readonly wasLookedUp?: boolean | undefined;
}

/** An authenticated caller. */
export interface KnownCaller extends Caller {
  readonly kind: ActorKind;
}

/** Any client of a gateway that runs without authentication: may do everything. */
export const ANYONE: Caller = { kind: 'anyone', id: 'anyone', scopes: ['admin'], bounds: {} };

export const isKnown = (caller: Caller | undefined): caller is KnownCaller =>
  caller !== undefined && caller.kind !== 'anyone';
