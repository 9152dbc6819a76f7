import { type Filter } from '../filters/filter.js';
import { type Remembered } from './memories.js';
import { type Kind } from './memory-options.js';

interface Given {
  readonly filter?: Filter;
  readonly kinds?: readonly Kind[];
}

/** Of memories. */
export const KINDS: readonly Kind[] = ['episode', 'feature'];

/** What this client calls otherwise than the API, beyond the underscores. */
const RENAMED: Readonly<Record<string, string>> = { score_threshold: 'threshold', types: 'kinds' };

/**
 * The options of a call. Types tell a mistake; where there are none, this does, which would be silent else.
 * @throws TypeError for a name of the API instead of that of this client, a kind that there is not, a filter that is a text
 */
export function checkedOptions<Options extends object & Given>(options: Options): Options {
  for (const name of Object.keys(options)) refuseWireName(name);
  const { filter, kinds = [] }: Given = options;
  for (const kind of kinds) {
    if (KINDS.some((one) => one === kind)) continue;
    throw new TypeError(`The kinds of memory are 'episode' and 'feature'; '${kind}' is none of them.`);
  }
  if (filter === undefined || isFilter(filter)) return options;
  throw new TypeError(
    "A filter is made by where({ user_id: 'alice' }) or the tag filter`…`; a text is none: values in it could carry conditions.",
  );
}

/** @throws TypeError for a name of the API, which says the name that is meant */
function refuseWireName(name: string): void {
  const camelCase = name.replaceAll(/_+(.)/g, (_, letter: string) => letter.toUpperCase());
  const meant = RENAMED[name] ?? camelCase;
  if (meant !== name) throw new TypeError(`There is no option ${name}; write ${meant}.`);
}

/** @throws TypeError for what is no memory */
export function memoriesIn(what: Remembered | readonly Remembered[]): readonly Remembered[] {
  const memories: readonly unknown[] = [what].flat();
  if (memories.every((one) => typeof one === 'object' && one !== null && 'kind' in one)) return [what].flat();
  throw new TypeError(
    'What is forgotten is a memory that list, search or recall gave, or a filter made by where.',
  );
}

/** By its shape: a program may have loaded the package in both module formats. */
export const isFilter = (what: unknown): what is Filter =>
  typeof what === 'object' && what !== null && 'text' in what;
