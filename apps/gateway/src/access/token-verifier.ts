import { type Caller } from './caller.js';

/** Knows whom a bearer token belongs to. */
export abstract class TokenVerifier {
  /**
   * @param network of the client, by which those who ask too often are told apart (`clientNetwork`)
   * @returns undefined for an unknown token, or one that is no longer valid
   * @throws AppError `service_unavailable` and the like when it cannot be found out at the moment
   */
  abstract verify(token: string, network: string): Promise<Caller | undefined>;

  /**
   * Calls back when what it said of callers may hold no longer: with the id of the API key that changed, or without one when
   * it may be any caller. By then it asks again.
   */
  onDoubt?(listener: DoubtListener): void;
}

export type DoubtListener = (callerId?: string) => void;

/** Asks one after the other, until one of them knows the token. */
export class AnyOf extends TokenVerifier {
  constructor(private readonly verifiers: readonly TokenVerifier[]) {
    super();
  }

  override async verify(token: string, network: string): Promise<Caller | undefined> {
    for (const verifier of this.verifiers) {
      const caller = await verifier.verify(token, network);
      if (caller) return caller;
    }
    return undefined;
  }

  override onDoubt(listener: DoubtListener): void {
    for (const verifier of this.verifiers) verifier.onDoubt?.(listener);
  }
}
