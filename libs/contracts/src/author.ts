import { IsIn, IsOptional, IsString } from 'class-validator';
import { ACTOR_KINDS, type ActorKind } from './audit/audit.contract.js';

/** Who wrote something: a caller as gateways know it, without any secret. */
export class Author {
  @IsIn(ACTOR_KINDS)
  readonly kind!: ActorKind;

  /** As in the audit: the id of an API key, the subject of a JWT, or the name of a token of the deployment. */
  @IsString()
  readonly id!: string;

  /** What its administrators call an API key. */
  @IsOptional()
  @IsString()
  readonly name?: string | undefined;

  /** The only producer that it speaks for; absent = any. */
  @IsOptional()
  @IsString()
  readonly producer?: string | undefined;
}
