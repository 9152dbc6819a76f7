import { useQuery } from '@tanstack/react-query';
import { answered, api, type Wire } from '../api/loci.js';
import { keyOf, named, type Project, useProject } from '../projects/project.js';
import { isOfOrganization } from './whose-fact.js';

type SetType = Wire['SemanticSetEntry'];

/** Metadata by which sets are kept apart where no type says so. */
const USUAL: readonly (readonly string[])[] = [['producer_id'], ['user_id']];

const BEGINNING = /^mem_(?:project_set|set_type|user_set|other_set)_org_/;

/**
 * A set as people call it: by its type, and by the metadata that all its messages have.
 * @returns undefined for an id that does not say what it stands for
 */
export function nameOfSet(
  id: string,
  { org, project }: Project,
  types: readonly SetType[],
): string | undefined {
  const isOrgLevel = isOfOrganization(id, org);
  const level = isOrgLevel ? `${org}_` : `${org}_project_${project}_`;
  const rest = id.replace(BEGINNING, '');
  if (rest === id || !rest.startsWith(level)) return undefined;
  const [, count, pairs = ''] = /^(\d{1,3})_[0-9a-f]{12}__(.*)$/s.exec(rest.slice(level.length)) ?? [];
  if (count === '0') return isOrgLevel ? 'Whole organization' : 'Whole project';
  const typed = types.filter((type) => type.is_org_level === isOrgLevel);
  const keys = [...typed.map(({ tags }) => tags), ...USUAL].find(
    (tags) => String(tags.length) === count && valuesIn(pairs, tags),
  );
  if (!keys) return undefined;
  const type = typed.find(({ tags }) => tags === keys)?.name;
  const values = valuesIn(pairs, keys)?.map(([key, value]) => `${key} ${value}`) ?? [];
  return [...(type ? [type] : []), ...values, ...(isOrgLevel ? ['of the organization'] : [])].join(' · ');
}

/**
 * What follows each of the keys; undefined where they do not follow each other. As `valuesBetween` of semantic-service reads
 * an id: the console is a client, which imports nothing of a service, and no answer says the metadata of a set.
 */
function valuesIn(
  pairs: string,
  tags: readonly string[],
): (readonly [key: string, value: string])[] | undefined {
  const values: (readonly [string, string])[] = [];
  const keys = tags.toSorted();
  let rest = `_${pairs}`;
  for (const [index, key] of keys.entries()) {
    if (!rest.startsWith(`_${key}_`)) return undefined;
    rest = rest.slice(key.length + 2);
    const next = keys[index + 1];
    const end = next === undefined ? rest.length : rest.indexOf(`_${next}_`);
    if (end < 0) return undefined;
    values.push([key, rest.slice(0, end)]);
    rest = rest.slice(end);
  }
  return values;
}

/** The types of sets that the project of the view has, or its organization. */
export function useSetTypes(): readonly SetType[] {
  const project = useProject();
  const { data } = useQuery({
    queryKey: keyOf(project, 'set-types'),
    queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
      answered(api.POST('/api/v2/memories/semantic/set_type/list', { body: named(project), signal })),
    staleTime: 60_000,
  });
  return data?.set_types ?? [];
}

/** The names of the sets of the project of the view. */
export function useSetNames(): (id: string) => string | undefined {
  const project = useProject();
  const types = useSetTypes();
  return (id) => nameOfSet(id, project, types);
}
