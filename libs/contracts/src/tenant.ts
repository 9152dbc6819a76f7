import { Matches, MaxLength } from 'class-validator';

/** Unicode letters and numbers, `_`, `:` and `-` (api-contract §3). */
export const IDENTIFIER = /^[\p{L}\p{N}_:-]+$/u;

/** Identifiers are stored in indexed columns; longer ones are refused at the edge. */
export const IDENTIFIER_MAX_LENGTH = 255;

/** Who memory belongs to. Every operation on memory takes one; there is no way around it. */
export class Tenant {
  @Matches(IDENTIFIER)
  @MaxLength(IDENTIFIER_MAX_LENGTH)
  readonly orgId!: string;

  @Matches(IDENTIFIER)
  @MaxLength(IDENTIFIER_MAX_LENGTH)
  readonly projectId!: string;
}

/** The tenant in one text, as messages show it and as keys that belong to a tenant begin. */
export const tenantName = ({ orgId, projectId }: Tenant): string => `${orgId}/${projectId}`;
