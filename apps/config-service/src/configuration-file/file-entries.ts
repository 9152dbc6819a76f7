import { createHash } from 'node:crypto';
import { type MemoryConfiguration, type ResourceKind } from '@loci/contracts';
import { MEMORY_DEFAULTS } from '../memory-configuration/memory-defaults.js';
import { MEMORY_FIELDS, type MemoryField, valueOf } from '../memory-configuration/memory-fields.js';
import { type Resource, type ResourceDefinition, type ResourceId } from '../resources/resource.js';
import { type ConfigurationDocument, type Keys } from './configuration-document.js';

/** The part of the file that stands for one thing, changed as a whole: a resource, or a setting of memory. */
export interface FileEntry {
  /** The same for an entry of the file and the thing that it stands for. */
  readonly id: string;
  readonly keys: Keys;
  readonly value: unknown;
  /** A resource by kind and name, or a setting. */
  readonly subject: ResourceId | MemoryField;
  /** Whether it may be left out of the file, because nothing else would be in force without it. */
  readonly isDefault: boolean;
}

const SECTIONS: Readonly<Record<ResourceKind, string>> = {
  language_model: 'language_models',
  embedder: 'embedders',
  reranker: 'rerankers',
};
const KINDS = ['language_model', 'embedder', 'reranker'] as const;

/** Settings that files may also have under another name. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  ingestion_trigger_age_seconds: 'ingestion_trigger_age',
};

export const isField = (subject: FileEntry['subject']): subject is MemoryField => 'at' in subject;

/** Everything in the file that we know what to do with. */
export function entriesIn(document: ConfigurationDocument): FileEntry[] {
  const resources = KINDS.flatMap((kind) =>
    document.keysBelow(['resources', SECTIONS[kind]]).map((name) => {
      const keys = ['resources', SECTIONS[kind], name];
      return entry(keys, keys, document.get(keys), { kind, name });
    }),
  );
  const settings = MEMORY_FIELDS.map((field) => {
    const keys = keysOf(field, document);
    return entry(field.path, keys, document.get(keys), field);
  });
  return [...resources, ...settings].filter(({ value }) => value !== undefined);
}

/** What the file should have, for what is in force. */
export function entriesFor(
  resources: readonly Resource[],
  memory: MemoryConfiguration,
  document: ConfigurationDocument,
): FileEntry[] {
  const ofResources = resources.map(({ kind, name, provider, config, isBuiltIn }) => {
    const keys = ['resources', SECTIONS[kind], name];
    // whatever the file says of one that is built in stays there, and counts for nothing
    const value = isBuiltIn ? document.get(keys) : definitionFor(provider, config, document.get(keys));
    return { ...entry(keys, keys, value, { kind, name }), isDefault: isBuiltIn };
  });
  const settings = MEMORY_FIELDS.map((field) => {
    const value = valueOf(field, memory);
    const isDefault = JSON.stringify(value) === JSON.stringify(valueOf(field, MEMORY_DEFAULTS));
    return { ...entry(field.path, keysOf(field, document), value, field), isDefault };
  });
  return [...ofResources, ...settings];
}

/** A provider that needs no configuration stands alone, unless the file has it otherwise. */
const definitionFor = (provider: string, config: ResourceDefinition['config'], present: unknown): object =>
  Object.keys(config).length === 0 &&
  !(typeof present === 'object' && present !== null && 'config' in present)
    ? { provider }
    : { provider, config };

/** The definition that an entry of the file gives, unchecked. */
export function definitionIn({ kind, name }: ResourceId, value: unknown): ResourceDefinition | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { provider, config = {} } = value as { provider?: unknown; config?: unknown };
  if (typeof provider !== 'string' || typeof config !== 'object' || config === null) return undefined;
  return { kind, name, provider, config: { ...config } };
}

/** Tells whether an entry is what it was, without storing the former value: it may contain a secret. */
export const digestOf = (value: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify([sorted(value)]))
    .digest('hex');

/** The database sorts the keys of an object by a rule of its own. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, one]) => [key, sorted(one)]));
}

const entry = (id: Keys, keys: Keys, value: unknown, subject: FileEntry['subject']): FileEntry => ({
  id: JSON.stringify(id),
  keys,
  value,
  subject,
  isDefault: false,
});

function keysOf({ path }: MemoryField, document: ConfigurationDocument): Keys {
  const other = OTHER_NAMES[path.at(-1) ?? ''];
  const otherKeys = other === undefined ? undefined : [...path.slice(0, -1), other];
  return otherKeys && document.get(otherKeys) !== undefined ? otherKeys : path;
}
