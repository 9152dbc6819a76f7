import { type Instant } from '@loci/contracts';

/** As services give them. */
export const EPISODE = {
  uid: '0197a3f2-6b1c-7d44-9c1e-2f6a8b0d4e11',
  content: 'Alice prefers window seats.',
  producerId: 'alice',
  producerRole: 'user',
  producedForId: 'unknown',
  createdAt: '2025-06-01T09:30:00.000000Z' as Instant,
  metadata: {},
};

export const FEATURE = {
  featureId: 'f-1',
  trust: 'trusted' as const,
  origin: { kind: 'ingestion' as const, model: 'gpt' },
  setId: 'mem_user_alice',
  category: 'profile',
  tag: 'travel',
  name: 'seat',
  value: 'window',
  metadata: {},
};
