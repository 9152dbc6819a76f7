import { IDENTIFIER, MAX_AUDITED_RESOURCES, MAX_MESSAGES_PER_ADD } from '@loci/contracts';
import { isLoopback, ProcessEnv } from '@loci/platform';
import { IsIn, IsInt, IsOptional, IsString, Matches, Max, Min } from 'class-validator';
import { type WireLimits } from './wire/schema/wire-limits.js';

const MEBIBYTE = 1024 * 1024;

/** 500 a second: far above what one fleet needs, far below what one gateway can do. */
const DEFAULT_RATE_LIMIT_PER_MINUTE = 30_000;

/** Settings of the gateway. */
export class GatewayEnv extends ProcessEnv implements WireLimits {
  /** 0 picks a free one. */
  @IsInt()
  @Min(0)
  @Max(65_535)
  PORT: number = 8080;

  /** Address that it listens on. */
  @IsString()
  HOST: string = '127.0.0.1';

  /**
   * Proxies whose `x-forwarded-for` is believed: addresses, networks such as `10.0.0.0/8`, `loopback`, `linklocal`,
   * `uniquelocal`, separated by commas. Empty = the address of a client is that of its connection.
   */
  @IsString()
  TRUSTED_PROXIES: string = '';

  /** Where NATS is, with the credentials of this service. */
  @IsString()
  NATS_URL!: string;

  /** Whether callers have to say who they are: `auto` = unless only this machine can reach it. */
  @IsIn(['on', 'off', 'auto'])
  AUTH: 'on' | 'off' | 'auto' = 'auto';

  /**
   * Names besides those of this machine (localhost, 127.0.0.0/8, [::1]) under which it is served without authentication,
   * without a port, separated by commas.
   */
  @IsString()
  ALLOWED_HOSTS: string = '';

  /** Web pages that may read answers (CORS): origins like `https://console.example.com`, separated by commas. */
  @IsString()
  ALLOWED_ORIGINS: string = '';

  /** May do everything; for making the first API keys. Empty = there is none. */
  @IsString()
  LOCI_ADMIN_KEY: string = '';

  /** `token=org` or `token=org/project`, separated by commas: may read and write there. */
  @IsString()
  HOSTED_TOKENS: string = '';

  /** Whose JWTs are accepted, exactly as they name it. Empty = none. */
  @IsString()
  OIDC_ISSUER: string = '';

  /** What the `aud` of a JWT has to name; with `OIDC_ISSUER`. */
  @IsString()
  OIDC_AUDIENCE: string = '';

  /** Where the keys are that sign JWTs; with `OIDC_ISSUER`. */
  @IsString()
  OIDC_JWKS_URL: string = '';

  /**
   * How long the published keys of the issuer are believed before they are fetched again, and so how long a token counts whose
   * signing key was withdrawn. While they cannot be fetched, those of the last ten minutes go on being believed.
   */
  @IsInt()
  @Min(1)
  @Max(600)
  OIDC_JWKS_MAX_AGE_SECONDS: number = 60;

  /** How far the clocks of issuer and gateway may be apart. */
  @IsInt()
  @Min(0)
  @Max(300)
  OIDC_CLOCK_TOLERANCE_SECONDS: number = 30;

  /** The claim that names the organization. */
  @IsString()
  OIDC_ORG_CLAIM: string = 'org_id';

  /** The claim that names the project. */
  @IsString()
  OIDC_PROJECT_CLAIM: string = 'project_id';

  /** The claim that lists the scopes. */
  @IsString()
  OIDC_SCOPES_CLAIM: string = 'scope';

  /** Which scopes of a JWT mean `read` here, separated by commas. */
  @IsString()
  OIDC_READ_SCOPES: string = 'read,loci:read';

  /** Scopes of a JWT that may write, separated by commas. */
  @IsString()
  OIDC_WRITE_SCOPES: string = 'write,loci:write';

  /** As the other two. Other services may mean something else by `admin`, so that counts only when it is named here. */
  @IsString()
  OIDC_ADMIN_SCOPES: string = 'loci:admin';

  /**
   * Requests with unknown tokens that one client address (IPv6: one /64 network) may make in a minute of one gateway before
   * they are 429 instead of 401; 0 = any number. Valid keys from the same address are not affected.
   */
  @IsInt()
  @Min(0)
  AUTH_FAILURES_PER_MINUTE: number = 300;

  /** Requests that one key may make in a minute of one gateway; 0 = any number. */
  @IsOptional()
  @IsInt()
  @Min(0)
  RATE_LIMIT_PER_MINUTE?: number;

  /** How long a browser that was given a key may use the console before it is asked again. */
  @IsInt()
  @Min(1)
  @Max(720)
  SESSION_HOURS: number = 12;

  /** Whom the tools of MCP act for when a client's headers do not say; whatever the arguments of a tool say. */
  @IsOptional()
  @Matches(IDENTIFIER)
  MM_ORG_ID?: string;

  /** The project that MCP tools act for when headers do not say. */
  @IsOptional()
  @Matches(IDENTIFIER)
  MM_PROJ_ID?: string;

  /** The user that MCP tools act for when headers do not say. */
  @IsOptional()
  @Matches(IDENTIFIER)
  MM_USER_ID?: string;

  /**
   * Whether MCP tools that search and list read only the memory of the user whom headers, the environment or arguments
   * name. `off`: they read all of the project, as those of MemMachine do.
   */
  @IsIn(['on', 'off'])
  MCP_USER_SCOPE: 'on' | 'off' = 'on';

  /**
   * Under which URL clients reach the gateway, without a path: `https://memory.example.com`. It stands in the OAuth
   * metadata for MCP clients; with https, browsers send the cookie of the console over TLS alone. Its pages are those of the
   * console where a proxy changes `Host`. Empty = as the request names it.
   */
  @Matches(/^(?:https?:\/\/[^/?#\s]+)?$/)
  PUBLIC_URL: string = '';

  /** How long a request may take, from its headers to the last answer of a service. */
  @IsInt()
  @Min(100)
  @Max(86_400_000)
  REQUEST_TIMEOUT_MS: number = 15_000;

  /** How long a client may take to send a request. */
  @IsInt()
  @Min(100)
  @Max(86_400_000)
  RECEIVE_TIMEOUT_MS: number = 30_000;

  /**
   * How much of an answer a client takes at least, while some of it waits, over RECEIVE_TIMEOUT_MS and twice
   * REQUEST_TIMEOUT_MS; a slower one is hung up on. 0 = as slowly as it likes.
   */
  @IsInt()
  @Min(0)
  MIN_READ_BYTES_PER_SECOND: number = 256;

  /** Operations that are worked on at the same time; further ones wait for their turn. */
  @IsInt()
  @Min(1)
  MAX_IN_FLIGHT: number = 160;

  /** Requests that wait for their turn; further ones are turned away. */
  @IsInt()
  @Min(0)
  MAX_WAITING: number = 2_000;

  /** How long a request may wait for its turn, within REQUEST_TIMEOUT_MS; one whose key was looked up waits for as long as that. */
  @IsInt()
  @Min(1)
  MAX_WAIT_MS: number = 5_000;

  /** Streams of events that are open at the same time; further ones are turned away. */
  @IsInt()
  @Min(0)
  MAX_EVENT_STREAMS: number = 1_000;

  /** Connections of one client address; further ones are closed. 0 = any number, and so with TRUSTED_PROXIES. */
  @IsInt()
  @Min(0)
  MAX_CONNECTIONS_PER_ADDRESS: number = 2_000;

  /** Bodies that may be on their way at the same time; further ones are turned away. */
  @IsInt()
  @Min(1)
  MAX_UPLOADS: number = 4_096;

  /** Memory for bodies and answers together. 0 = half of what the heap or the container may have, whichever is less. */
  @IsInt()
  @Min(0)
  MEMORY_BUDGET_BYTES: number = 0;

  /** How much of all this the requests of one organization may have at most. */
  @IsInt()
  @Min(1)
  @Max(100)
  ORG_SHARE_PERCENT: number = 50;

  /** How much of all this the requests of one key may have at most. */
  @IsInt()
  @Min(1)
  @Max(100)
  KEY_SHARE_PERCENT: number = 40;

  /** `acme=4,globex=0.5`: how often it is an organization's turn, compared with others. An organization that is not named has 1. */
  @IsString()
  ORG_WEIGHTS: string = '';

  /** Messages of one JSON-RPC batch to /mcp. Each counts as a request. */
  @IsInt()
  @Min(1)
  MAX_BATCH_LENGTH: number = 32;

  /** Has to stay below `max_payload` of the NATS server, which the standalone form sets to 8 MiB. */
  @IsInt()
  @Min(1_024)
  @Max(7 * MEBIBYTE)
  MAX_BODY_BYTES: number = 4 * MEBIBYTE;

  /** Messages of one add. */
  @IsInt()
  @Min(1)
  @Max(MAX_MESSAGES_PER_ADD)
  MAX_MESSAGES_PER_ADD: number = 1_000;

  /** Ids of one delete: the audit names each. */
  @IsInt()
  @Min(1)
  @Max(MAX_AUDITED_RESOURCES)
  MAX_IDS_PER_DELETE: number = 1_000;

  /** Characters of one message. */
  @IsInt()
  @Min(1)
  MAX_CONTENT_CHARS: number = 200_000;

  /** Characters of a query. */
  @IsInt()
  @Min(1)
  MAX_QUERY_CHARS: number = 32_000;

  /** Characters of a filter. */
  @IsInt()
  @Min(1)
  MAX_FILTER_CHARS: number = 4_096;

  /** Parentheses and `NOT` within each other. */
  @IsInt()
  @Min(1)
  @Max(1_000)
  MAX_FILTER_DEPTH: number = 32;

  /** Comparisons in one filter. */
  @IsInt()
  @Min(1)
  @Max(10_000)
  MAX_FILTER_TERMS: number = 256;

  /** For `producer`, `produced_for`, `role` and the names in a project's `config`. */
  @IsInt()
  @Min(1)
  MAX_LABEL_CHARS: number = 1_000;

  /** Characters of the description of a project. */
  @IsInt()
  @Min(1)
  MAX_DESCRIPTION_CHARS: number = 10_000;

  /** Keys of the metadata of one message. */
  @IsInt()
  @Min(0)
  MAX_METADATA_KEYS: number = 64;

  /** Characters of one value of metadata. */
  @IsInt()
  @Min(1)
  MAX_METADATA_VALUE_CHARS: number = 8_192;

  /** Hits that a search may ask for. */
  @IsInt()
  @Min(1)
  MAX_TOP_K: number = 1_000;

  /** Entries that a page may ask for. */
  @IsInt()
  @Min(1)
  MAX_PAGE_SIZE: number = 1_000;

  get isAuthRequired(): boolean {
    return this.AUTH === 'auto' ? !isLoopback(this.HOST) : this.AUTH === 'on';
  }

  /** Without authentication, and so on this machine only, there is no limit unless one is set. */
  get rateLimitPerMinute(): number {
    return this.RATE_LIMIT_PER_MINUTE ?? (this.isAuthRequired ? DEFAULT_RATE_LIMIT_PER_MINUTE : 0);
  }
}
