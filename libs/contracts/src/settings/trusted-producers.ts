/**
 * Whether a project trusts the messages of a producer.
 * @param trusted names of producers; one that ends with `*` stands for all that begin like it
 */
export const isTrustedProducer = (trusted: readonly string[], producerId: string): boolean =>
  trusted.some((name) =>
    name.endsWith('*') ? producerId.startsWith(name.slice(0, -1)) : producerId === name,
  );
