import { hkdfSync } from 'node:crypto';
import { invalid } from '@loci/contracts';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { EncryptJWT, errors, jwtDecrypt } from 'jose';
import { type TagKey } from './tag-key.js';

/** A session of a browser, as its cookie has it. */
export interface Session {
  /** The API key or JWT that it was opened with. */
  readonly token: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/**
 * A header that a request needs for its session to count. A page of another origin cannot send it: browsers ask first
 * (CORS), and no answer of ours allows it. Also not where the cookie comes along, as from another port of the same host.
 */
export const SESSION_HEADER = 'x-loci-session';

/** Browsers keep a cookie with this prefix to one host, and take it only over TLS. */
const SECURE_PREFIX = '__Host-';
const COOKIE = 'loci_session';

/** Of a cookie with its name, browsers keep 4096 bytes; the attributes count for some of them. */
const MAX_SEALED_CHARS = 3_900;

const PURPOSE = 'loci browser session';

/**
 * Sessions of browsers. The cookie has the caller's own token, encrypted for the gateways of this deployment, so that
 * no session is stored, and one ends with its key. A page cannot read it (HttpOnly), and no other site makes it be sent
 * (SameSite=Strict).
 */
export class Sessions {
  private key: Promise<Uint8Array> | undefined;

  constructor(
    private readonly tagKey: TagKey,
    private readonly hours: number,
    /** Under which URL browsers reach the gateway; empty = not known. */
    private readonly publicUrl = '',
  ) {}

  /**
   * Gives the browser a session. @param token of a caller who is known
   * @param tokenEndsAtMs the session ends no later than this
   * @throws AppError `invalid_request` for a token that no cookie holds
   */
  async open(
    request: FastifyRequest,
    reply: FastifyReply,
    token: string,
    tokenEndsAtMs = Infinity,
  ): Promise<Session> {
    const now = Date.now();
    const expiresAt = Math.floor(Math.min(now + this.hours * 3_600_000, tokenEndsAtMs) / 1000) * 1000;
    const lifetimeSeconds = Math.max(0, Math.ceil((expiresAt - now) / 1000));
    const sealed = await new EncryptJWT({ token })
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
      .setExpirationTime(expiresAt / 1000)
      .encrypt(await this.ownKey());
    if (sealed.length > MAX_SEALED_CHARS) throw tooLong();
    this.setCookie(request, reply, sealed, lifetimeSeconds);
    return { token, expiresAt };
  }

  /** Takes the session from the browser. */
  close(request: FastifyRequest, reply: FastifyReply): void {
    this.setCookie(request, reply, '', 0);
  }

  /** @returns undefined without a session that counts for this request: one that has ended, that is not ours, that came from another site */
  async find(request: FastifyRequest): Promise<Session | undefined> {
    const { headers } = request;
    if (headers.authorization !== undefined || headers[SESSION_HEADER] === undefined) return undefined;
    if (!this.isFromOwnPage(request)) return undefined;
    const sealed = cookieIn(headers.cookie ?? '', this.isSecure(request));
    if (sealed === undefined) return undefined;
    try {
      const { payload } = await jwtDecrypt(sealed, await this.ownKey(), {
        keyManagementAlgorithms: ['dir'],
        contentEncryptionAlgorithms: ['A256GCM'],
        requiredClaims: ['exp'],
      });
      const { token, exp = 0 } = payload;
      return typeof token === 'string' ? { token, expiresAt: exp * 1000 } : undefined;
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  }

  /**
   * Browsers say where a request comes from by `sec-fetch-site`, which no page can change; the old ones, and all where the
   * page came without TLS, by `origin` alone, and of a page's own GET by neither.
   */
  private isFromOwnPage({ headers, host }: FastifyRequest): boolean {
    const { origin, 'sec-fetch-site': site } = headers;
    if (site !== undefined) return site === 'same-origin';
    if (origin === undefined) return true;
    if (!URL.canParse(origin)) return false;
    const page = new URL(origin);
    return [`${page.protocol}//${host}`, this.publicUrl].some((own) => originOf(own) === page.origin);
  }

  private setCookie(
    request: FastifyRequest,
    reply: FastifyReply,
    value: string,
    maxAgeSeconds: number,
  ): void {
    const isSecure = this.isSecure(request);
    const name = isSecure ? SECURE_PREFIX + COOKIE : COOKIE;
    const attributes = ['Path=/', 'HttpOnly', 'SameSite=Strict', `Max-Age=${maxAgeSeconds}`];
    reply.header(
      'set-cookie',
      [`${name}=${value}`, ...attributes, ...(isSecure ? ['Secure'] : [])].join('; '),
    );
  }

  /** Whether the page came over TLS, as far as can be seen behind a proxy that ends it. */
  private isSecure({ protocol, headers }: FastifyRequest): boolean {
    const urls = [`${protocol}:`, headers.origin, this.publicUrl];
    return urls.some((url) => url?.startsWith('https:'));
  }

  private ownKey(): Promise<Uint8Array> {
    this.key ??= this.tagKey.get().then(
      (key) => new Uint8Array(hkdfSync('sha256', key, '', PURPOSE, 32)),
      (error: unknown) => {
        this.key = undefined;
        throw error;
      },
    );
    return this.key;
  }
}

/** A neighbouring host can plant the one without the prefix, with a session of its own: over TLS it counts for nothing. */
function cookieIn(header: string, isSecure: boolean): string | undefined {
  const cookies = new Map(
    header.split(';').map((pair) => {
      const [name = '', value = ''] = pair.trim().split('=', 2);
      return [name, value];
    }),
  );
  return cookies.get(SECURE_PREFIX + COOKIE) ?? (isSecure ? undefined : cookies.get(COOKIE));
}

const originOf = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).origin : undefined);

const tooLong = (): Error =>
  invalid('invalid_request', [
    {
      loc: ['header', 'authorization'],
      msg: 'This token is too long for a session of a browser; use an API key',
      type: 'string_too_long',
    },
  ]);
