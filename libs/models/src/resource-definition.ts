import { type ResourceKind } from '@loci/contracts';

/** What a model is built from; a `Resource` of the registry is one. */
export interface ResourceDefinition {
  readonly kind: ResourceKind;
  readonly name: string;
  /** Canonical, as {@link parseResourceConfig} gives it. */
  readonly provider: string;
  /** Secrets in it are references (`$NAME`, `${NAME}`) or sealed texts; a literal is taken as it is. */
  readonly config: Readonly<Record<string, unknown>>;
}

/** Turns the kind into the words of a sentence: `language model`. */
export const kindInWords = (kind: ResourceKind): string => kind.replace('_', ' ');
