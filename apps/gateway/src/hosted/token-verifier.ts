/** Who a hosted call acts for. */
export interface Caller {
  readonly orgId: string;
  /** The only project of the caller; it names one itself when absent. */
  readonly projectId?: string;
}

/** Knows whom a bearer token belongs to. */
export abstract class TokenVerifier {
  /** @returns undefined for a token that nobody has */
  abstract verify(token: string): Promise<Caller | undefined>;
}
