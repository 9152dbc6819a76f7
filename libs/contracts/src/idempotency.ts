import { IsString, Length } from 'class-validator';

/** What a client sent with `Idempotency-Key`: the key, and a fingerprint of the body that it came with. */
export class IdempotencyToken {
  @IsString()
  @Length(1, 255)
  readonly key!: string;

  /** SHA-256 of the canonical request, hex. The same key with another fingerprint is a conflict. */
  @IsString()
  @Length(64, 64)
  readonly fingerprint!: string;
}
