import { Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';

/** Messages that could not be handled. */
@Entity({ name: 'dead_letters' })
@Unique('dead_letters_once', ['consumer', 'stream', 'messageId'])
@Index('dead_letters_newest', ['createdAt'])
@Index('dead_letters_set_aside', ['consumer', 'fingerprint'], { where: 'fingerprint IS NOT NULL' })
export class DeadLetterEntity {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'dead_letters_pkey' })
  id!: string;

  @Column({ type: 'text' })
  stream!: string;

  @Column({ type: 'text' })
  consumer!: string;

  @Column({ type: 'text' })
  subject!: string;

  @Column({ type: 'text', name: 'message_id' })
  messageId!: string;

  @Column({ type: 'text' })
  payload!: string;

  @Column({ type: 'text' })
  reason!: string;

  @Column({ type: 'int' })
  deliveries!: number;

  /** Of the subject and the body of a message that ended its process too often; null for every other. */
  @Column({ type: 'text', nullable: true })
  fingerprint!: string | null;

  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt!: Date;
}
