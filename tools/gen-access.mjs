// What each service may do at NATS, derived from the contracts, the topology, and which of the contracts an app and the libs
// below it import; and in PostgreSQL. From it come the servers that we start ourselves and the files that deployments mount.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const contracts = await import('../libs/contracts/dist/index.js');
const messaging = await import('../libs/messaging/dist/index.js');
const root = fileURLToPath(new URL('..', import.meta.url));

const APPS = {
  gateway: 'gateway',
  config: 'config-service',
  episodic: 'episodic-service',
  semantic: 'semantic-service',
  streams: 'streams',
};
const SERVICES = ['config', 'episodic', 'semantic'];

const serviceOf = (subject) => subject.split('.')[1];
const isOperation = (value) => typeof value === 'object' && value !== null && 'request' in value;
const isMessage = (value) => typeof value === 'object' && value !== null && 'payload' in value;

/** The folders of an app and of every lib that it depends on; those that declare things use all of them. */
async function packagesOf(folder, found = new Set()) {
  if (found.has(folder)) return found;
  found.add(folder);
  const { dependencies = {} } = JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8'));
  // the page that the gateway serves speaks HTTP alone
  const ours = Object.keys(dependencies).filter(
    (name) => name.startsWith('@loci/') && name !== '@loci/console',
  );
  for (const name of ours) await packagesOf(`libs/${name.slice('@loci/'.length)}`, found);
  return found;
}

/** These name messages without any use of them. */
const DECLARING = new Set(['libs/contracts']);
const TOPOLOGY = join('libs', 'messaging', 'src', 'jetstream', 'topology.ts');

async function sourcesOf(folder) {
  const entries = await readdir(join(root, folder, 'src'), { recursive: true });
  return entries
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'))
    .map((name) => join(root, folder, 'src', name))
    .filter((path) => path !== join(root, TOPOLOGY));
}

/** The operations and messages that an app names anywhere. */
async function usedBy(app) {
  const folders = [...(await packagesOf(`apps/${app}`))].filter((folder) => !DECLARING.has(folder));
  const sources = (await Promise.all(folders.map(sourcesOf))).flat();
  const used = await Promise.all(sources.map(async (path) => usedIn(path, await readFile(path, 'utf8'))));
  return [...new Map(used.flat().map((declared) => [declared.subject, declared])).values()];
}

function usedIn(path, text) {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true);
  const names = file.statements.filter(isImportOfContracts).flatMap(importedNames);
  const declared = names.map((name) => contracts[name]);
  return [
    ...declared.filter((value) => isOperation(value) || isMessage(value)),
    ...(names.includes('checkHealth') ? healthChecksIn(file) : []),
  ];
}

const isImportOfContracts = (statement) =>
  ts.isImportDeclaration(statement) && statement.moduleSpecifier.text === '@loci/contracts';

function importedNames({ importClause }) {
  const { namedBindings } = importClause ?? {};
  if (!namedBindings || !ts.isNamedImports(namedBindings)) return [];
  return namedBindings.elements.map(({ name, propertyName }) => (propertyName ?? name).text);
}

/** Of the service that is named; of all where it is a variable. */
function healthChecksIn(file) {
  const asked = new Set();
  const visit = (node) => {
    if (ts.isCallExpression(node) && node.expression.getText(file) === 'checkHealth') {
      const [argument] = node.arguments;
      for (const service of ts.isStringLiteral(argument) ? [argument.text] : SERVICES) asked.add(service);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return [...asked].map((service) => contracts.checkHealth(service));
}

/** What reading from a durable pull consumer takes. */
const ofConsumer = ({ name, stream }) => [
  `$JS.API.CONSUMER.INFO.${stream.name}.${name}`,
  `$JS.API.CONSUMER.MSG.NEXT.${stream.name}.${name}`,
  `$JS.ACK.${stream.name}.${name}.>`,
];

/** What making them takes, and deleting those that push: for the one process that may, as NATS does not look into these requests. */
const MAKING = [
  ...messaging.STREAMS.flatMap(({ name }) => [
    ...['INFO', 'CREATE', 'UPDATE'].map((action) => `$JS.API.STREAM.${action}.${name}`),
    `$JS.API.CONSUMER.LIST.${name}`,
    `$JS.API.CONSUMER.DELETE.${name}.*`,
  ]),
  ...messaging.CONSUMERS.flatMap(({ name, stream, subject }) => [
    `$JS.API.CONSUMER.INFO.${stream.name}.${name}`,
    `$JS.API.CONSUMER.CREATE.${stream.name}.${name}.${subject}`,
  ]),
];

/** Own events and work by their prefix; of others only what is asked, enqueued or subscribed to; signals both ways. */
function permissionsOf(user, usedByAll) {
  const used = usedByAll[user];
  const foreign = used.filter(({ subject }) => serviceOf(subject) !== user);
  const subjectsOf = (kind) =>
    foreign.filter(({ subject }) => subject.startsWith(`${kind}.`)).map(({ subject }) => subject);
  const isService = SERVICES.includes(user);
  const consumers = messaging.CONSUMERS.filter(({ name }) => name.startsWith(`${user}-`));
  return {
    publish: [
      ...(isService ? [`evt.${user}.>`, `work.${user}.>`] : []),
      ...subjectsOf('rpc').sort(),
      ...subjectsOf('work').sort(),
      ...subjectsOf('signal').sort(),
      ...(isService ? inboxesOf(user, usedByAll) : []),
      ...(user === 'streams' ? MAKING : []),
      ...consumers.flatMap(ofConsumer),
    ],
    subscribe: [
      `_INBOX.${user}.>`,
      ...(isService ? [`rpc.${user}.>`] : []),
      ...subjectsOf('evt').sort(),
      ...subjectsOf('signal').sort(),
    ],
  };
}

/** A service answers those who ask it, where they hear its answers and those of no other; people ask as the operator. */
const inboxesOf = (service, usedByAll) =>
  [...Object.keys(APPS), 'operator']
    .filter((user) => user === 'operator' || isAskedBy(user, service, usedByAll))
    .flatMap((user) => [
      `_INBOX.${user}.${service}.>`,
      ...(user === 'operator' ? [] : [inboxesBefore(user)]),
    ]);

/** Where the version before hears answers, so that an update fails no request. This version hears nothing there. */
const inboxesBefore = (user) => `_INBOX.${user}.*.*`;

const isAskedBy = (user, service, usedByAll) =>
  user !== service && usedByAll[user].some(({ subject }) => subject.startsWith(`rpc.${service}.`));

const usedByAll = {};
for (const user of Object.keys(APPS)) usedByAll[user] = await usedBy(APPS[user]);
const permissions = {};
for (const user of Object.keys(APPS)) permissions[user] = permissionsOf(user, usedByAll);

const HEADER =
  'Generated by `npm run gen` from libs/contracts, libs/messaging and what each app imports of them. Do not edit.';

const code = `// ${HEADER}
import { type NatsPermissions, type ServiceUser } from './nats-users.js';

export const NATS_PERMISSIONS: Readonly<Record<ServiceUser, NatsPermissions>> = ${JSON.stringify(permissions)};
`;

const { natsAuthorization, ROLES_SQL } = await import('../libs/runtime/dist/index.js');
const users = `# ${HEADER}
# The users of NATS. Each password is that of the variable, which begins with a letter: \`npm run compose:init\` makes such.
${natsAuthorization(permissions, (user) => `$NATS_${user.toUpperCase()}_PASSWORD`)}`;

const roles = `-- Generated by \`npm run gen\` from libs/runtime/src/access/postgres-roles.ts. Do not edit.
-- Who may do what in the database of Loci. For a superuser, in that database, before the first migration; doing it again
-- does no harm. Passwords are set elsewhere.
--   loci_migrate                               owns the database and the schemas: migrations, restores, backups
--   loci_config, loci_episodic, loci_semantic  what the services log in as: each reads and writes the rows of its own
--                                              schema, and row security applies
${ROLES_SQL}`;

const digest = createHash('sha256').update(users).digest('hex').slice(0, 16);
const compose = await readFile(join(root, 'docker-compose.yml'), 'utf8');

export const files = {
  'libs/runtime/src/access/nats-permissions.generated.ts': code,
  'k8s/components/nats-users/users.conf': users,
  'k8s/components/postgres-roles/10-roles.sql': roles,
  'docker-compose.yml': compose.replace(/(labels: \{ loci\.users: ')\w*(?=' \})/, `$1${digest}`),
};
