import { IDENTIFIER, MAX_MESSAGES_PER_ADD } from '@loci/contracts';
import { ProcessEnv } from '@loci/platform';
import { IsInt, IsOptional, IsString, Matches, Max, Min } from 'class-validator';
import { type WireLimits } from './wire/reading/wire-limits.js';

const MEBIBYTE = 1024 * 1024;

/** Settings of the gateway. */
export class GatewayEnv extends ProcessEnv implements WireLimits {
  /** 0 picks a free one. */
  @IsInt()
  @Min(0)
  @Max(65_535)
  PORT: number = 8080;

  @IsString()
  HOST: string = '127.0.0.1';

  @IsString()
  NATS_URL!: string;

  /** `token=org` or `token=org/project`, separated by commas; without any, every hosted call is refused. */
  @IsString()
  HOSTED_TOKENS: string = '';

  /** Whom the tools of MCP act for when a client's headers do not say; whatever the arguments of a tool say. */
  @IsOptional()
  @Matches(IDENTIFIER)
  MM_ORG_ID?: string;

  @IsOptional()
  @Matches(IDENTIFIER)
  MM_PROJ_ID?: string;

  @IsOptional()
  @Matches(IDENTIFIER)
  MM_USER_ID?: string;

  /** How long a request may take, from its headers to the last answer of a service. */
  @IsInt()
  @Min(100)
  REQUEST_TIMEOUT_MS: number = 15_000;

  /** How long a client may take to send a request. */
  @IsInt()
  @Min(100)
  RECEIVE_TIMEOUT_MS: number = 30_000;

  /** Requests that are worked on at the same time; further ones are turned away with 429. */
  @IsInt()
  @Min(1)
  MAX_IN_FLIGHT: number = 1_000;

  /** Has to stay below `max_payload` of the NATS server, which the standalone form sets to 8 MiB. */
  @IsInt()
  @Min(1_024)
  @Max(7 * MEBIBYTE)
  MAX_BODY_BYTES: number = 4 * MEBIBYTE;

  @IsInt()
  @Min(1)
  @Max(MAX_MESSAGES_PER_ADD)
  MAX_MESSAGES_PER_ADD: number = 1_000;

  @IsInt()
  @Min(1)
  MAX_IDS_PER_DELETE: number = 1_000;

  @IsInt()
  @Min(1)
  MAX_CONTENT_CHARS: number = 200_000;

  @IsInt()
  @Min(1)
  MAX_QUERY_CHARS: number = 32_000;

  @IsInt()
  @Min(1)
  MAX_FILTER_CHARS: number = 4_096;

  /** For `producer`, `produced_for`, `role` and the names in a project's `config`. */
  @IsInt()
  @Min(1)
  MAX_LABEL_CHARS: number = 1_000;

  @IsInt()
  @Min(1)
  MAX_DESCRIPTION_CHARS: number = 10_000;

  @IsInt()
  @Min(0)
  MAX_METADATA_KEYS: number = 64;

  @IsInt()
  @Min(1)
  MAX_METADATA_VALUE_CHARS: number = 8_192;

  @IsInt()
  @Min(1)
  MAX_TOP_K: number = 1_000;

  @IsInt()
  @Min(1)
  MAX_PAGE_SIZE: number = 1_000;
}
