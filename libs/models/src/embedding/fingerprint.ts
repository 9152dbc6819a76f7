import { createHash } from 'node:crypto';

/** Everything that decides a text's vector, but for their dimensions. */
export interface VectorIdentity {
  readonly provider: string;
  readonly model: string;
  /** Where the model is served, if not at its maker's. */
  readonly server: string | undefined;
  readonly maxInputLength?: number;
  /** What else is done to a document before the model reads it. */
  readonly preparation?: string | undefined;
}

const MAX_MODEL_LENGTH = 40;

/** `<provider>-<model>-<dimensions>-<hash>` in `[a-z0-9_-]`. */
export function fingerprintOf(identity: VectorIdentity, dimensions: number): string {
  const { provider, model, server = '', maxInputLength = 0, preparation } = identity;
  const hash = createHash('sha256')
    .update(
      JSON.stringify([
        provider,
        model,
        server,
        maxInputLength,
        dimensions,
        ...(preparation === undefined ? [] : [preparation]),
      ]),
    )
    .digest('hex')
    .slice(0, 8);
  return `${slug(provider)}-${slug(model).slice(0, MAX_MODEL_LENGTH)}-${dimensions}-${hash}`;
}

const slug = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]+/g, '-');
