/** What follows the organization in the ids of its sets; ids of a project's name the project there. */
const OF_ORGANIZATION = /^\d{1,3}_[0-9a-f]{12}__/;

/** Whether a set belongs to the organization as a whole: its id says so, and no id of a project's set has that form. */
export function isOfOrganization(setId: string, org: string): boolean {
  const [, rest] = /^mem_(?:project_set|set_type|user_set|other_set)_org_(.*)$/s.exec(setId) ?? [];
  return rest?.startsWith(`${org}_`) === true && OF_ORGANIZATION.test(rest.slice(org.length + 1));
}

/** Whether a project trusts a producer. @param trusted names, of which a star at the end stands for any ending */
export const isTrusted = (trusted: readonly string[], producer: string): boolean =>
  trusted.some((name) => (name.endsWith('*') ? producer.startsWith(name.slice(0, -1)) : producer === name));

interface Fact {
  readonly set_id: string | undefined;
  /** Whom it names. */
  readonly users: readonly unknown[];
}

/** Whether a fact is about a producer or about no one: it names no other user, and neither does its set. */
export function isOwnFact({ set_id = '', users }: Fact, producer: string): boolean {
  const isOwn = users.every((user) => user === undefined || user === '' || user === producer);
  return isOwn && usersIn(set_id).every((rest) => rest === producer || rest.startsWith(`${producer}_`));
}

/** What follows each key that names a user, in the keys and values of which the id of a set ends. */
function usersIn(setId: string): readonly string[] {
  const [, pairs = ''] = /_\d{1,3}_[0-9a-f]{12}__(.*)$/s.exec(setId) ?? [];
  return [...pairs.matchAll(/(?<=^|_)(?:producer|user)_id_/g)].map(({ index, 0: key }) =>
    pairs.slice(index + key.length),
  );
}
