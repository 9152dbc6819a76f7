import { IsEnvBoolean, ProbedProcessEnv } from '@loci/platform';
import { IsInt, IsString, Matches, Min } from 'class-validator';
import { DEFAULT_MAX_REPLY_BYTES } from './calls/call-limits.js';
import { DEFAULT_SECRET_PREFIX } from './secrets/references.js';

/** Settings of a process that calls models. */
export class ModelCallerEnv extends ProbedProcessEnv {
  /** `id:base64key[,id:base64key...]`, each key 32 bytes: what secrets are encrypted with; the first is the current one. */
  @IsString()
  LOCI_SECRET_KEYS!: string;

  /** What the names of environment variables begin with that credentials of models may refer to; no others are read. */
  @Matches(/^[A-Za-z_]\w{3,}$/)
  MODEL_SECRET_PREFIX: string = DEFAULT_SECRET_PREFIX;

  /** Bytes that one reply of a model provider may have, decompressed; it is given up at the first that is too many. */
  @IsInt()
  @Min(65_536)
  MODEL_MAX_REPLY_BYTES: number = DEFAULT_MAX_REPLY_BYTES;

  /** Whether models may be on this machine or in a private network. */
  @IsEnvBoolean()
  EGRESS_ALLOW_PRIVATE: boolean = false;
}
