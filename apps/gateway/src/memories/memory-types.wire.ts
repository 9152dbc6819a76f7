import { MEMORY_TYPES, type MemoryType } from '@loci/contracts';
import { listOf, oneOf } from '@loci/platform/schema';

export const memoryType = oneOf(MEMORY_TYPES);

export const typeList = listOf(memoryType, { max: 100 });

/** The kinds of memory that a request means, each once; none named means all. */
export const requestedTypes = (types: readonly MemoryType[]): readonly MemoryType[] =>
  types.length === 0 ? MEMORY_TYPES : [...new Set(types)];
