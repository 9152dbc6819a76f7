import {
  type LongTermMemoryUpdate,
  type MemoryConfiguration,
  type MemoryConfigurationUpdate,
  type SemanticMemoryConfiguration,
  type SemanticMemoryUpdate,
  type ShortTermMemoryConfiguration,
  type ShortTermMemoryUpdate,
} from '@loci/contracts';
import { MEMORY_DEFAULTS } from './memory-defaults.js';

/** What is in force: the changes over what was delivered. */
export function resolveMemory(changes: MemoryConfigurationUpdate): MemoryConfiguration {
  const { episodic, semantic } = MEMORY_DEFAULTS;
  return {
    episodic: {
      enabled: changes.episodic?.enabled ?? episodic.enabled,
      longTerm: { ...episodic.longTerm, ...given(changes.episodic?.longTerm) },
      shortTerm: shortTermOf(changes.episodic?.shortTerm),
    },
    semantic: semanticOf({ ...semantic, ...given(changes.semantic) }),
  };
}

function shortTermOf(changes: ShortTermMemoryUpdate | undefined): ShortTermMemoryConfiguration {
  const { llmModel, ...rest } = { ...MEMORY_DEFAULTS.episodic.shortTerm, ...given(changes) };
  return { ...rest, ...(llmModel && { llmModel }) };
}

function semanticOf({ llmModel, ...rest }: SemanticMemoryConfiguration): SemanticMemoryConfiguration {
  return { ...rest, ...(llmModel && { llmModel }) };
}

/** Whether it was ever said which language model memory uses, be it none. */
export const isLanguageModelChosen = ({ episodic, semantic }: MemoryConfigurationUpdate): boolean =>
  semantic?.llmModel !== undefined || episodic?.shortTerm?.llmModel !== undefined;

/** Adds a later change to former ones: what it does not mention stays. */
export function mergeChanges(
  former: MemoryConfigurationUpdate,
  later: MemoryConfigurationUpdate,
): MemoryConfigurationUpdate {
  const longTerm: LongTermMemoryUpdate = {
    ...former.episodic?.longTerm,
    ...storesLeftBehind(later.episodic?.longTerm),
    ...given(later.episodic?.longTerm),
  };
  const shortTerm: ShortTermMemoryUpdate = {
    ...former.episodic?.shortTerm,
    ...given(later.episodic?.shortTerm),
  };
  const enabled = later.episodic?.enabled ?? former.episodic?.enabled;
  const semantic: SemanticMemoryUpdate = { ...former.semantic, ...given(later.semantic) };
  return {
    episodic: { ...(enabled !== undefined && { enabled }), longTerm, shortTerm },
    semantic,
  };
}

/** A change of the backend forgets the stores of the other one. */
function storesLeftBehind(update: LongTermMemoryUpdate | undefined): LongTermMemoryUpdate {
  switch (update?.backend) {
    case 'event':
      return { vectorGraphStore: '' };
    case 'declarative':
      return { vectorStore: '', segmentStore: '' };
    case undefined:
      return {};
  }
}

type Given<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> };

/** Only the fields that have a value. */
function given<T extends object>(update: T | undefined): Given<T> {
  const entries = Object.entries(update ?? {}).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Given<T>;
}
