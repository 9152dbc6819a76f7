import { type Tenant } from '@loci/contracts';

/** A project as this service knows it: only an open one takes writes and shows data. */
export interface OpenProject {
  readonly uid: string;
  readonly tenant: Tenant;
  /** Name of the one that it chose; empty: that of the deployment; absent: not heard of yet. */
  readonly reranker?: string | undefined;
}

/**
 * What a request may see and touch: what belongs to its organization as a whole, and what belongs to its project. Without
 * a project there is only the former.
 */
export interface Scope {
  readonly orgId: string;
  readonly projectUid: string | undefined;
}

export const scopeOf = ({ uid, tenant }: OpenProject): Scope & { readonly projectUid: string } => ({
  orgId: tenant.orgId,
  projectUid: uid,
});
