/** A service as NATS knows it; every process of the service logs in as this user. `streams` makes those of all others. */
export type ServiceUser = 'gateway' | 'config' | 'episodic' | 'semantic' | 'streams';

/** `operator` may do everything: for people and their tools. No process of Loci logs in as it. */
export type NatsUser = ServiceUser | 'operator';

export const SERVICE_USERS: readonly ServiceUser[] = ['gateway', 'config', 'episodic', 'semantic', 'streams'];

/** Subjects, with the wildcards of NATS; whatever is not named is refused. */
export interface NatsPermissions {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
}

/**
 * The users of a NATS server, in the language of its configuration.
 * @param passwordOf the password of a user as it stands in the file: a quoted string, or `$VARIABLE`
 */
export function natsAuthorization(
  permissions: Readonly<Record<ServiceUser, NatsPermissions>>,
  passwordOf: (user: NatsUser) => string,
): string {
  const users = SERVICE_USERS.map(
    (user) =>
      `    {\n      user: ${user}, password: ${passwordOf(user)}\n      permissions {\n${rules(permissions[user])}\n      }\n    }`,
  );
  const operator = `    { user: operator, password: ${passwordOf('operator')} }`;
  return `authorization {\n  users = [\n${[...users, operator].join('\n')}\n  ]\n}\n`;
}

/**
 * Without `allow_responses`: it would let a service publish anything anywhere, once it has sent itself a signal that names the
 * subject for its answer.
 */
const rules = ({ publish, subscribe }: NatsPermissions): string =>
  [`publish: ${list(publish)}`, `subscribe: ${list(subscribe)}`].map((line) => `        ${line}`).join('\n');

const list = (subjects: readonly string[]): string =>
  `[\n${subjects.map((subject) => `          ${JSON.stringify(subject)}`).join('\n')}\n        ]`;
