/** The keys of a point's payload. Attributes are in `tokens`, so that a user's key never meets one of ours. */
export const PAYLOAD_KEYS = {
  tenant: 'tenant',
  version: 'version',
  createdAt: 'created_at',
  tokens: 'tokens',
} as const;
