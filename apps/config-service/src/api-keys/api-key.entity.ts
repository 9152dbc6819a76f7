import { type AccessScope } from '@loci/contracts';
import { Check, Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import { SCHEMA } from '../database.js';

@Entity({ schema: SCHEMA, name: 'api_keys' })
@Check('api_keys_check', '(project_id IS NULL) OR (org_id IS NOT NULL)')
@Check('api_keys_check1', '(former_expires_at IS NULL) = (former_digest IS NULL)')
@Check('api_keys_scopes_check', `(scopes <> '{}'::text[]) AND (scopes <@ '{read,write,admin}'::text[])`)
@Unique('api_keys_digest_key', ['digest'])
@Unique('api_keys_former_digest_key', ['formerDigest'])
@Index('api_keys_in_force', ['orgId', 'projectId', 'id'], { where: 'revoked_at IS NULL' })
@Index('api_keys_ending', ['expiresAt'], { where: '(revoked_at IS NULL) AND (expires_at IS NOT NULL)' })
export class ApiKeyEntity {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'api_keys_pkey' })
  id!: string;

  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'text' })
  hint!: string;

  @Column({ type: 'text', array: true })
  scopes!: AccessScope[];

  @Column({ type: 'text', name: 'org_id', nullable: true })
  orgId!: string | null;

  @Column({ type: 'text', name: 'project_id', nullable: true })
  projectId!: string | null;

  @Column({ type: 'text' })
  digest!: string;

  /** The secret before the last rotation, as long as its grace lasts. */
  @Column({ type: 'text', name: 'former_digest', nullable: true })
  formerDigest!: string | null;

  @Column({ type: 'timestamptz', name: 'former_expires_at', nullable: true })
  formerExpiresAt!: Date | null;

  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'expires_at', nullable: true })
  expiresAt!: Date | null;

  @Column({ type: 'timestamptz', name: 'rotated_at', nullable: true })
  rotatedAt!: Date | null;

  /** A revoked key is kept, so that the audit can say whose it was. */
  @Column({ type: 'timestamptz', name: 'revoked_at', nullable: true })
  revokedAt!: Date | null;

  @Column({ type: 'text', nullable: true })
  producer!: string | null;
}
