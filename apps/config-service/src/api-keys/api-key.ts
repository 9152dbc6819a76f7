import { type AccessBounds, type AccessScope } from '@loci/contracts';

export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly hint: string;
  readonly scopes: readonly AccessScope[];
  readonly bounds: AccessBounds;
  /** The only producer that it speaks for; undefined = any. */
  readonly producer: string | undefined;
  readonly createdAt: Date;
  readonly expiresAt: Date | undefined;
  readonly rotatedAt: Date | undefined;
  /** When the grace of the secret before the last rotation ends; undefined = it had none. */
  readonly formerExpiresAt: Date | undefined;
}

/** Until when the former secret of a key is valid: no longer than the key. Undefined when none is valid any more. */
export function formerValidUntil(
  { expiresAt, formerExpiresAt }: Pick<ApiKey, 'expiresAt' | 'formerExpiresAt'>,
  nowMs: number,
): Date | undefined {
  if (formerExpiresAt === undefined) return undefined;
  const end = expiresAt !== undefined && expiresAt < formerExpiresAt ? expiresAt : formerExpiresAt;
  return end.getTime() > nowMs ? end : undefined;
}

/** A secret as it is kept: what it hashes to, and how it begins. */
export interface KeptSecret {
  readonly digest: string;
  readonly hint: string;
}

/** A key that is valid at this moment, found by one of its secrets. */
export interface ValidSecret {
  readonly digest: string;
  readonly key: ApiKey;
  /** When this secret ends, if it ends. */
  readonly validUntil: Date | undefined;
  /** Whether a rotation has replaced it. */
  readonly isFormer: boolean;
}
