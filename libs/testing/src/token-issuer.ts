import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';

export const AUDIENCE = 'loci';

type PrivateKey = Awaited<ReturnType<typeof generateKeyPair>>['privateKey'];

/** An OpenID Connect issuer: publishes its keys, and signs what it is asked to. */
export class TokenIssuer {
  /** What it publishes. */
  readonly published: JWK[] = [];
  isDown = false;
  /** Takes requests, and answers none. */
  isHung = false;
  /** What it answers instead of its keys. */
  rubbish: string | undefined;
  /** How often its keys were fetched. */
  asked = 0;
  private readonly privateKeys = new Map<string, PrivateKey>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<TokenIssuer> {
    const server = createServer((_, response) => {
      issuer.asked += 1;
      if (issuer.isHung) return;
      if (issuer.isDown) response.writeHead(500).end();
      else response.end(issuer.rubbish ?? JSON.stringify({ keys: issuer.published }));
    });
    const issuer = new TokenIssuer(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    await issuer.addKey('first');
    return issuer;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async addKey(kid: string, { isPublished = true } = {}): Promise<void> {
    const { publicKey, privateKey } = await generateKeyPair('ES256');
    this.privateKeys.set(kid, privateKey);
    if (isPublished) this.published.push({ ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' });
  }

  /** From now on it publishes another key, or none, under the name. */
  async replaceKey(kid: string): Promise<void> {
    this.withdraw(kid);
    await this.addKey(kid);
  }

  withdraw(kid: string): void {
    this.published.splice(0, Infinity, ...this.published.filter((key) => key.kid !== kid));
  }

  /** A token that is fine unless the claims say otherwise. */
  sign(claims: Readonly<Record<string, unknown>> = {}, kid = 'first'): Promise<string> {
    const key = this.privateKeys.get(kid);
    if (!key) throw new Error(`There is no key ${kid}.`);
    const now = Math.floor(Date.now() / 1000);
    return new SignJWT({
      iss: this.url,
      aud: AUDIENCE,
      sub: 'ada',
      exp: now + 300,
      org_id: 'acme',
      scope: 'openid read loci:write',
      ...claims,
    })
      .setProtectedHeader({ alg: 'ES256', kid })
      .sign(key);
  }

  stop(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }
}
