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
