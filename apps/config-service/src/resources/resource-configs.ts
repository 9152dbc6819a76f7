import { type Problem } from '@loci/contracts';
import { type ResourceDefinition } from './resource.js';

/** Knows what providers need and which of it is secret. */
export abstract class ResourceConfigs {
  /**
   * Checks a configuration as a client gave it.
   * @returns what is stored: the canonical provider, and credentials in clear replaced by their encrypted form
   * @throws AppError `invalid_request` with every problem
   */
  abstract accept(given: ResourceDefinition): ResourceDefinition;

  /** What is wrong with credentials that name variables of the environment which are not for models. */
  abstract forbiddenReferences(definition: ResourceDefinition): Problem[];

  /** The configuration as people may see it: references as they are, encrypted credentials masked. */
  abstract shown(definition: ResourceDefinition): Readonly<Record<string, unknown>>;

  /** The definition with every credential encrypted under the current key; undefined when all of them are. */
  abstract underCurrentKey(definition: ResourceDefinition): ResourceDefinition | undefined;
}
