import { expect, test } from '@jest/globals';
import { NATS_PERMISSIONS } from './nats-permissions.generated.js';
import { natsAuthorization, SERVICE_USERS, type ServiceUser } from './nats-users.js';

/** What the gateway publishes beside its requests. */
const OF_GATEWAY = ['signal.v1.process.asked', 'signal.v1.process.reported', 'work.config.v1.audit.record'];

const publishedBy = (user: ServiceUser, beginning: RegExp): string[] =>
  NATS_PERMISSIONS[user].publish.filter((subject) => beginning.test(subject));

test('every service has permissions, and no other user', () => {
  expect(Object.keys(NATS_PERMISSIONS).sort()).toEqual([...SERVICE_USERS].sort());
});

test.each(['config', 'episodic', 'semantic'] as const)(
  '%s publishes events and work of its own alone, and asks only others',
  (user) => {
    expect(publishedBy(user, /^(?:evt|work)\./)).toEqual([`evt.${user}.>`, `work.${user}.>`]);
    const requests = publishedBy(user, /^rpc\./);
    expect(requests.filter((subject) => subject.startsWith(`rpc.${user}.`))).toEqual([]);
    expect(NATS_PERMISSIONS[user].subscribe.filter((subject) => subject.startsWith('rpc.'))).toEqual([
      `rpc.${user}.>`,
    ]);
  },
);

test('the gateway asks for operations by their names, notes what it audits, and does nothing else', () => {
  const { publish, subscribe } = NATS_PERMISSIONS.gateway;
  expect(publish.filter((subject) => !/^rpc\.\w+\.v1\.[\w-]+\.[\w-]+$/.test(subject)).sort()).toEqual(
    OF_GATEWAY,
  );
  expect(subscribe.filter((subject) => !subject.startsWith('signal.')).sort()).toEqual([
    '_INBOX.gateway.>',
    'evt.config.v1.api-keys.changed',
    'evt.config.v1.notifications.recorded',
  ]);
});

test.each(SERVICE_USERS)('%s reaches no subject of all, and no stream but by its name', (user) => {
  const { publish, subscribe } = NATS_PERMISSIONS[user];
  const named = [...publish, ...subscribe];
  expect(named.filter((subject) => /^[>*]|^(?:\$\w+|_INBOX|rpc|evt|work)\.[>*]/.test(subject))).toEqual([]);
  const system = publish.filter((subject) => /^\$/.test(subject));
  const stream = String.raw`(?:EVT|WORK)_[A-Z]+`;
  const allowed = new RegExp(
    String.raw`^\$JS\.(?:API\.STREAM\.(?:INFO|CREATE|UPDATE)\.${stream}$|API\.CONSUMER\.(?:INFO|CREATE|MSG\.NEXT)\.${stream}\.[\w-]+|API\.CONSUMER\.LIST\.${stream}$|API\.CONSUMER\.DELETE\.${stream}\.\*$|ACK\.${stream}\.[\w-]+\.>$)`,
  );
  expect(system.filter((subject) => !allowed.test(subject))).toEqual([]);
  const destroying = named.filter((subject) => /DELETE|PURGE|RESTORE|SNAPSHOT/.test(subject));
  // of consumers that push, which those that are declared never do
  const consumers = publishedBy('streams', /^\$JS\.API\.CONSUMER\.DELETE\./);
  expect(destroying).toEqual(user === 'streams' ? consumers : []);
});

test.each(SERVICE_USERS)('%s answers where its own answers are heard, and nowhere else', (user) => {
  const inboxes = publishedBy(user, /^_INBOX/);
  const askers = [...SERVICE_USERS, 'operator'].flatMap((asker) => [
    `_INBOX.${asker}.${user}.>`,
    // of the version before
    `_INBOX.${asker}.*.*`,
  ]);
  expect(inboxes.filter((inbox) => !askers.includes(inbox))).toEqual([]);
  expect(inboxes.length > 0).toBe(NATS_PERMISSIONS[user].subscribe.includes(`rpc.${user}.>`));
});

test.each(SERVICE_USERS)('%s cannot answer for NATS itself, whose answers the driver hears', (user) => {
  const heard = SERVICE_USERS.flatMap((other) =>
    ['x', 'x.y'].map((name) => `_INBOX.${other}.own.driver.${name}`),
  );
  const granted = publishedBy(user, /^_INBOX/).map(
    (subject) =>
      new RegExp(
        `^${subject
          .replaceAll('.', String.raw`\.`)
          .replaceAll('*', '[^.]+')
          .replace('>', '.+')}$`,
      ),
  );
  expect(heard.filter((subject) => granted.some((pattern) => pattern.test(subject)))).toEqual([]);
});

test('no user may publish where a message that it receives tells it to', () => {
  expect(natsAuthorization(NATS_PERMISSIONS, () => 'p')).not.toContain('allow_responses');
});

test.each(SERVICE_USERS)('%s hears answers to itself alone', (user) => {
  const inboxes = NATS_PERMISSIONS[user].subscribe.filter((subject) => subject.startsWith('_INBOX'));
  expect(inboxes).toEqual([`_INBOX.${user}.>`]);
});

test('one user makes and changes streams and consumers, and it neither reads nor publishes what they keep', () => {
  for (const user of SERVICE_USERS) {
    const made = publishedBy(user, /^\$JS\.API\.(?:STREAM|CONSUMER)\.(?!INFO\.|MSG\.NEXT\.)/);
    expect(made.length > 0).toBe(user === 'streams');
  }
  const { publish, subscribe } = NATS_PERMISSIONS.streams;
  expect(
    publish.filter(
      (subject) =>
        !/^(?:signal\.|\$JS\.API\.(?:\w+\.(?:INFO|CREATE|UPDATE)|CONSUMER\.(?:LIST|DELETE))\.)/.test(subject),
    ),
  ).toEqual([]);
  expect(subscribe.filter((subject) => !/^(?:signal|_INBOX)\./.test(subject))).toEqual([]);
});
