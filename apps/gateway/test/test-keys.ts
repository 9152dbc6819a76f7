import {
  apiKeyDigest,
  type ApiKeyVerifications,
  getApiKeyTagKey,
  newApiKeySecret,
  type VerifiedApiKey,
  verifyApiKeys,
  type VerifyApiKeysRequest,
} from '@loci/contracts';
import { type TestGateway } from './test-gateway.js';

export const bearer = (secret: string): { authorization: string } => ({ authorization: `Bearer ${secret}` });

/** The keys of a deployment, as the config service would know them. */
export class TestKeys {
  private readonly byDigest = new Map<string, VerifiedApiKey>();
  /** How often the gateway asked. */
  asked = 0;
  private readonly tagKey = Buffer.alloc(32, 7);

  /** @returns the secret */
  add(key: Omit<VerifiedApiKey, 'id'> & { readonly id?: string }, { isTagged = true } = {}): string {
    const secret = newApiKeySecret(isTagged ? this.tagKey : undefined);
    this.byDigest.set(apiKeyDigest(secret), { id: '01890a5d-ac96-774b-bcce-b302099a8057', ...key });
    return secret;
  }

  revoke(secret: string): void {
    this.byDigest.delete(apiKeyDigest(secret));
  }

  /** A secret that was issued by this deployment, and that no key has any more. */
  spent(): string {
    return newApiKeySecret(this.tagKey);
  }

  answer({ digests }: VerifyApiKeysRequest): ApiKeyVerifications {
    this.asked += 1;
    return {
      keys: digests.flatMap((digest) => {
        const key = this.byDigest.get(digest);
        return key ? [{ digest, ...key }] : [];
      }),
    };
  }

  /** Lets a gateway ask for them. */
  serve({ rpc }: TestGateway): void {
    rpc
      .on(getApiKeyTagKey, () => ({ key: this.tagKey.toString('base64') }))
      .on(verifyApiKeys, (request) => this.answer(request));
  }
}
