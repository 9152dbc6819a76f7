import { apiKeyDigest, newApiKeySecret, type VerifiedApiKey, verifyApiKey } from '@loci/contracts';
import { type TestGateway } from './test-gateway.js';

export const bearer = (secret: string): { authorization: string } => ({ authorization: `Bearer ${secret}` });

/** The keys of a deployment, as the config service would know them. */
export class TestKeys {
  private readonly byDigest = new Map<string, VerifiedApiKey>();
  /** How often the gateway asked. */
  asked = 0;

  /** @returns the secret */
  add(key: Omit<VerifiedApiKey, 'id'> & { readonly id?: string }): string {
    const secret = newApiKeySecret();
    this.byDigest.set(apiKeyDigest(secret), { id: '01890a5d-ac96-774b-bcce-b302099a8057', ...key });
    return secret;
  }

  revoke(secret: string): void {
    this.byDigest.delete(apiKeyDigest(secret));
  }

  /** Lets a gateway ask for them. */
  serve({ rpc }: TestGateway): void {
    rpc.on(verifyApiKey, ({ digest }) => {
      this.asked += 1;
      return { key: this.byDigest.get(digest) };
    });
  }
}
