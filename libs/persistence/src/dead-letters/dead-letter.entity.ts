import { Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';

/** Messages that could not be handled. */
@Entity({ name: 'dead_letters' })
@Unique('dead_letters_once', ['consumer', 'stream', 'messageId'])
@Index('dead_letters_newest', ['createdAt'])
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

  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt!: Date;
}
