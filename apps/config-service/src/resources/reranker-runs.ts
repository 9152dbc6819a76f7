import { invalid, type Problem, resourceTitle } from '@loci/contracts';
import { partsOf } from '@loci/registry';
import { isSame, type ResourceDefinition } from './resource.js';

/** One search runs so many rerankers at most, and one that is a part of several once for each of them. */
const MOST_RUNS = 32;

/**
 * Rerankers that are made of the same two double at each level what a search runs.
 * @param all that are registered, with or without a former one of this name
 * @throws AppError `invalid_request` when one is named twice, or a search with this one or one made of it would run too many
 */
export function refuseManyRuns(definition: ResourceDefinition, all: readonly ResourceDefinition[]): void {
  const [repeated] = partsOf(definition).filter(
    ({ kind, name }, index, parts) => parts.findIndex((part) => isSame(part, { kind, name })) < index,
  );
  if (repeated) {
    throw refused(
      repeated.loc,
      `${resourceTitle(repeated.kind, repeated.name)} is named twice.`,
      'repeated_name',
    );
  }
  const before = runsOf(all);
  const after = runsOf([...all.filter((one) => !isSame(one, definition)), definition]);
  for (const [name, runs] of after) {
    if (runs <= MOST_RUNS || runs <= (before.get(name) ?? 0)) continue;
    const story = `A search with ${resourceTitle('reranker', name)} would run more than ${MOST_RUNS} rerankers; name fewer.`;
    throw refused([], story, 'too_many_rerankers');
  }
}

/** How many rerankers a search runs with each of those that are made of others, by name. */
function runsOf(all: readonly ResourceDefinition[]): ReadonlyMap<string, number> {
  const rerankers = new Map(all.filter(({ kind }) => kind === 'reranker').map((one) => [one.name, one]));
  const runs = new Map<string, number>();
  const count = (name: string): number => {
    const known = runs.get(name);
    if (known !== undefined) return known;
    const one = rerankers.get(name);
    runs.set(name, Infinity);
    const parts = one ? partsOf(one).filter(({ kind }) => kind === 'reranker') : [];
    const sum = parts.reduce((total, part) => total + count(part.name), 1);
    runs.set(name, sum);
    return sum;
  };
  for (const name of rerankers.keys()) count(name);
  return runs;
}

const refused = (loc: Problem['loc'], msg: string, type: string): Error =>
  invalid('invalid_request', [{ loc: ['body', 'config', ...loc], msg, type }]);
