import { AppError, MemoryConfigurationUpdate, type Problem } from '@loci/contracts';
import { parseShape } from '@loci/messaging';
import { type Transaction } from '@loci/persistence';
import { Logger } from '@loci/platform';
import { partsOf } from '@loci/registry';
import { Injectable } from '@nestjs/common';
import { MemoryConfigurationService } from '../memory-configuration/memory-configuration.service.js';
import { MEMORY_FIELDS } from '../memory-configuration/memory-fields.js';
import { isSame, type ResourceDefinition } from '../resources/resource.js';
import { ResourceConfigs } from '../resources/resource-configs.js';
import { ResourcesService } from '../resources/resources.service.js';
import { type ConfigurationDocument, type Keys } from './configuration-document.js';
import { definitionIn, type FileEntry, isField } from './file-entries.js';

interface Definition {
  readonly keys: Keys;
  readonly definition: ResourceDefinition;
}

/** Imports entries of the file. Every refusal names their line and column in the file. */
@Injectable()
export class FileImport {
  constructor(
    private readonly resources: ResourcesService,
    private readonly configs: ResourceConfigs,
    private readonly memory: MemoryConfigurationService,
    private readonly logger: Logger,
  ) {}

  /** As part of a change of the registry. @throws ConfigurationFileError */
  async take(entries: readonly FileEntry[], document: ConfigurationDocument, tx: Transaction): Promise<void> {
    const definitions = entries.flatMap((entry) => this.definition(entry, document));
    for (const { keys, definition } of partsFirst(definitions)) {
      await this.takeDefinition(definition, keys, document, tx);
    }
    await this.takeSettings(entries, document, tx);
  }

  private definition({ keys, value, subject }: FileEntry, document: ConfigurationDocument): Definition[] {
    if (isField(subject)) return [];
    const definition = definitionIn(subject, value);
    if (definition) return [{ keys, definition }];
    throw document.error(keys, `'${subject.name}' needs a provider (a text) and a config (a map).`);
  }

  private async takeDefinition(
    given: ResourceDefinition,
    keys: Keys,
    document: ConfigurationDocument,
    tx: Transaction,
  ): Promise<void> {
    try {
      const stored = (await this.resources.list(tx)).find((one) => isSame(one, given));
      if (stored?.isBuiltIn) {
        if (stored.provider === given.provider) return;
        this.logger.warn('the configuration file names a resource as one that is built in; ignored', {
          resource: given.name,
        });
        return;
      }
      await this.resources.put(this.configs.accept(given), tx);
    } catch (error) {
      throw located(error, document, (loc) => [...keys, ...loc.slice(1)]);
    }
  }

  private async takeSettings(
    entries: readonly FileEntry[],
    document: ConfigurationDocument,
    tx: Transaction,
  ): Promise<void> {
    const update = {};
    for (const { subject, value } of entries) if (isField(subject)) setIn(update, subject.at, value);
    if (Object.keys(update).length === 0) return;
    try {
      await this.memory.change(parseShape(MemoryConfigurationUpdate, update), tx);
    } catch (error) {
      throw located(error, document, keysOfSetting);
    }
  }
}

/** A resource that is made of others comes after them. */
function partsFirst(definitions: readonly Definition[]): Definition[] {
  const sorted = new Set<Definition>();
  const visited = new Set<Definition>();
  const visit = (one: Definition): void => {
    if (visited.has(one)) return;
    visited.add(one);
    for (const part of partsOf(one.definition)) {
      const found = definitions.find(({ definition }) => isSame(definition, part));
      if (found) visit(found);
    }
    sorted.add(one);
  };
  definitions.forEach(visit);
  return [...sorted];
}

function setIn(target: object, [key, ...rest]: readonly string[], value: unknown): void {
  if (key === undefined) return;
  const inner: unknown = Reflect.get(target, key) ?? {};
  if (rest.length > 0 && typeof inner === 'object' && inner !== null) setIn(inner, rest, value);
  Reflect.set(target, key, rest.length > 0 ? inner : value);
}

/** The path of a problem is one of our own shape or that of the setting. */
function keysOfSetting(loc: Problem['loc']): Keys {
  const path = loc.slice(1).map(String);
  const field = MEMORY_FIELDS.find(({ at }) => at.every((key, index) => path[index] === key));
  return field ? [...field.path, ...path.slice(field.at.length)] : path;
}

function located(
  error: unknown,
  document: ConfigurationDocument,
  keysOf: (loc: Problem['loc']) => readonly (string | number)[],
): unknown {
  if (!(error instanceof AppError)) return error;
  const problem = error.details.problems?.[0];
  if (!problem) return error.kind === 'unavailable' ? error : document.error([], error.message);
  const keys = keysOf(problem.loc).map(String);
  return document.error(keys, `${problem.msg} (${keys.join('.')})`);
}
