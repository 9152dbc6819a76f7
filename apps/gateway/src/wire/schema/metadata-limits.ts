/** Metadata of a message, a set or a feature, wherever a client says them. */
export const METADATA_LIMITS = {
  maxKeys: 'MAX_METADATA_KEYS',
  maxKeyChars: 128,
  maxChars: 'MAX_METADATA_VALUE_CHARS',
} as const;
