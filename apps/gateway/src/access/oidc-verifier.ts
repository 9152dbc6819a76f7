import { setTimeout as sleep } from 'node:timers/promises';
import { type AccessScope, IDENTIFIER, IDENTIFIER_MAX_LENGTH, unavailable } from '@loci/contracts';
import { EnvError } from '@loci/platform';
import { isStorable } from '@loci/platform/schema';
import {
  createRemoteJWKSet,
  customFetch,
  errors,
  type FetchImplementation,
  type JWTPayload,
  jwtVerify,
} from 'jose';
import { type Caller } from './caller.js';
import { TokenVerifier } from './token-verifier.js';

export interface OidcSettings {
  readonly OIDC_ISSUER: string;
  readonly OIDC_AUDIENCE: string;
  readonly OIDC_JWKS_URL: string;
  readonly OIDC_JWKS_MAX_AGE_SECONDS: number;
  readonly OIDC_CLOCK_TOLERANCE_SECONDS: number;
  readonly OIDC_ORG_CLAIM: string;
  readonly OIDC_PROJECT_CLAIM: string;
  readonly OIDC_SCOPES_CLAIM: string;
  readonly OIDC_READ_SCOPES: string;
  readonly OIDC_WRITE_SCOPES: string;
  readonly OIDC_ADMIN_SCOPES: string;
}

/** Only what is signed with a private key: otherwise the issuer's public key could serve as a shared secret. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

/** How long the issuer's keys are believed while newer ones cannot be fetched. */
const KEYS_OUTAGE_MS = 10 * 60 * 1000;

/** A key that is missing, or that does not fit a signature, is looked for at once, but not more often than this. */
const KEYS_COOLDOWN_MS = 10_000;
const KEYS_TIMEOUT_MS = 5_000;

/** How long a token waits for newer keys where there are those of before. */
const KEYS_PATIENCE_MS = 1_000;

/** Issuers publish a few keys of some kilobytes. */
const KEYS_MAX_BYTES = 1024 * 1024;

/** While the keys cannot be fetched, they are asked for once in so long, not for every token. */
const KEYS_PAUSE_MS = 1_000;

/** Of the id of a user, as OpenID Connect bounds it. */
const MAX_SUBJECT_CHARS = 255;

const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** What says that the keys could not be fetched, not that the token is wrong. */
const isOutage = (error: unknown): boolean =>
  !(error instanceof errors.JOSEError) ||
  error instanceof errors.JWKSTimeout ||
  error instanceof errors.JWKSInvalid ||
  error.code === errors.JOSEError.code;

/** Knows users by the JWTs of an OpenID Connect issuer. */
export class OidcVerifier extends TokenVerifier {
  private readonly keys: ReturnType<typeof createRemoteJWKSet>;
  private readonly maxAgeMs: number;
  private fetchedAt = -Infinity;
  /** No token waits for newer keys before. */
  private awaitedFrom = -Infinity;
  private readonly scopes: ScopeNames;

  /** @throws EnvError when the issuer is named without audience or keys */
  constructor(private readonly settings: OidcSettings) {
    super();
    const { OIDC_AUDIENCE, OIDC_JWKS_URL } = settings;
    if (OIDC_AUDIENCE === '' || !URL.canParse(OIDC_JWKS_URL)) {
      throw new EnvError('OIDC_ISSUER needs OIDC_AUDIENCE and OIDC_JWKS_URL (a URL) beside it.');
    }
    this.scopes = scopeNames(settings);
    this.maxAgeMs = settings.OIDC_JWKS_MAX_AGE_SECONDS * 1_000;
    this.keys = createRemoteJWKSet(new URL(OIDC_JWKS_URL), {
      cacheMaxAge: KEYS_OUTAGE_MS,
      cooldownDuration: KEYS_COOLDOWN_MS,
      timeoutDuration: KEYS_TIMEOUT_MS,
      [customFetch]: pausingAfterFailure(KEYS_PAUSE_MS, () => (this.fetchedAt = performance.now())),
    });
  }

  /** A token without organization is refused: only API keys can be for the whole deployment. */
  override async verify(token: string): Promise<Caller | undefined> {
    if (!JWT.test(token)) return undefined;
    const payload = await this.payloadOf(token);
    if (payload === undefined || !isSubject(payload.sub)) return undefined;
    const { OIDC_ORG_CLAIM, OIDC_PROJECT_CLAIM, OIDC_SCOPES_CLAIM } = this.settings;
    const orgId = payload[OIDC_ORG_CLAIM];
    const projectId = payload[OIDC_PROJECT_CLAIM];
    if (!isIdentifier(orgId) || (projectId !== undefined && !isIdentifier(projectId))) return undefined;
    return {
      kind: 'user',
      id: payload.sub,
      scopes: scopesIn(payload[OIDC_SCOPES_CLAIM], this.scopes),
      bounds: { orgId, ...(projectId !== undefined && { projectId }) },
      endsAtMs: payload.exp === undefined ? undefined : payload.exp * 1000,
    };
  }

  private async payloadOf(token: string): Promise<JWTPayload | undefined> {
    try {
      await this.renewKeys();
      return await this.checked(token).catch(async (error: unknown) => {
        // the issuer may have replaced a key under the same name
        if (!(error instanceof errors.JWSSignatureVerificationFailed) || this.keys.coolingDown) throw error;
        await this.keys.reload();
        return this.checked(token);
      });
    } catch (error) {
      if (!isOutage(error)) return undefined;
      const message = 'The keys of the token issuer cannot be fetched at the moment; try again in a second.';
      throw unavailable('service_unavailable', message, { retryAfterSeconds: 1 }, error);
    }
  }

  private async checked(token: string): Promise<JWTPayload> {
    const { OIDC_ISSUER, OIDC_AUDIENCE, OIDC_CLOCK_TOLERANCE_SECONDS } = this.settings;
    const { payload } = await jwtVerify(token, this.keys, {
      algorithms: ALGORITHMS,
      issuer: OIDC_ISSUER,
      audience: OIDC_AUDIENCE,
      clockTolerance: OIDC_CLOCK_TOLERANCE_SECONDS,
      requiredClaims: ['exp', 'sub'],
    });
    return payload;
  }

  /** Newer keys, where those that there are have come of age: as soon as they are there, or not at all for now. */
  private async renewKeys(): Promise<void> {
    if (!this.keys.fresh || performance.now() < this.fetchedAt + this.maxAgeMs) return;
    const renewal = this.keys.reload().then(
      () => true,
      () => false,
    );
    if (performance.now() < this.awaitedFrom) return;
    const patience = sleep(KEYS_PATIENCE_MS, false, { ref: false });
    if (!(await Promise.race([renewal, patience]))) this.awaitedFrom = performance.now() + KEYS_COOLDOWN_MS;
  }
}

/** The issuer signs what it likes: jose checks that there is a `sub`, not that it is text (RFC 7519, 4.1.2). */
const isSubject = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= MAX_SUBJECT_CHARS && isStorable(value);

const isIdentifier = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= IDENTIFIER_MAX_LENGTH && IDENTIFIER.test(value);

type ScopeNames = readonly (readonly [AccessScope, ReadonlySet<string>])[];

const scopeNames = ({ OIDC_READ_SCOPES, OIDC_WRITE_SCOPES, OIDC_ADMIN_SCOPES }: OidcSettings): ScopeNames => [
  ['read', namesIn(OIDC_READ_SCOPES)],
  ['write', namesIn(OIDC_WRITE_SCOPES)],
  ['admin', namesIn(OIDC_ADMIN_SCOPES)],
];

const namesIn = (setting: string): Set<string> =>
  new Set(
    setting
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  );

/** `read loci:write`, or a list of such texts; what is not a scope of ours is for others. */
function scopesIn(claim: unknown, known: ScopeNames): AccessScope[] {
  const texts = [claim].flat().filter((one) => typeof one === 'string');
  const given = texts.flatMap((text) => text.split(' '));
  return known.filter(([, names]) => given.some((name) => names.has(name))).map(([scope]) => scope);
}

/** jose waits between fetches that succeed, and not between those that fail. */
function pausingAfterFailure(pauseMs: number, succeeded: () => void): FetchImplementation {
  let pausedUntil = -Infinity;
  return async (url, options) => {
    if (performance.now() < pausedUntil)
      throw new Error('The keys of the issuer could not be fetched a moment ago.');
    let isFetched = false;
    try {
      const response = await bounded(await fetch(url, options), KEYS_MAX_BYTES);
      isFetched = response.ok && (await hasKeys(response.clone()));
      if (isFetched) succeeded();
      return response;
    } finally {
      if (!isFetched) pausedUntil = performance.now() + pauseMs;
    }
  };
}

/** Whether it is a set of keys (RFC 7517, 5): jose refuses what is none. */
async function hasKeys(response: Response): Promise<boolean> {
  const set: unknown = await response.json().catch(() => undefined);
  return typeof set === 'object' && set !== null && 'keys' in set && Array.isArray(set.keys);
}

/** The same with its body read. @throws Error at the first byte that is too many */
async function bounded(response: Response, maxBytes: number): Promise<Response> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const body: AsyncIterable<Uint8Array> | undefined = response.body ?? undefined;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new Error('The keys of the issuer are too large.');
    chunks.push(chunk);
  }
  return new Response(Buffer.concat(chunks), { status: response.status });
}
