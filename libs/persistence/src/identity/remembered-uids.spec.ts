import { expect, test } from '@jest/globals';
import { RememberedUids } from './remembered-uids.js';

test('a name is looked up again only when its uid is no longer its own', async () => {
  const owner = { uid: 'a' as string | undefined, lookUps: 0 };
  const uids = new RememberedUids();
  const find = (): Promise<string | undefined> =>
    uids.find('name', {
      read: (uid) => Promise.resolve(uid === owner.uid ? `of ${uid}` : undefined),
      lookUp: () => {
        owner.lookUps += 1;
        return Promise.resolve(owner.uid);
      },
    });
  expect([await find(), await find(), owner.lookUps]).toEqual(['of a', 'of a', 1]);
  owner.uid = 'b';
  expect([await find(), await find(), owner.lookUps]).toEqual(['of b', 'of b', 2]);
  owner.uid = undefined;
  expect([await find(), owner.lookUps]).toEqual([undefined, 3]);
});
