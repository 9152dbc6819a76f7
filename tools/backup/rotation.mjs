// Which backups below a folder are kept: the newest, as many as are wanted and fit.
import { access, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { MANIFEST } from './tables.mjs';

/** As the nightly program names folders; whatever else is there is left alone. */
const NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/;

/**
 * Makes room, saves, and removes what is too old. The last complete backup stays, whatever happens.
 * @param root the folder of the backups
 * @param keep how many complete ones are kept, the newest; 1 or more
 * @param ifUnclaimed works while it has a folder, unless another run has it
 * @param save makes a complete backup, or fails and leaves nothing
 * @param say told of each folder that is removed
 */
export async function rotate({ root, keep, ifUnclaimed, save, say }) {
  await removeUnfinished(root, ifUnclaimed, say);
  await removeBeyond(root, Math.max(keep - 1, 1), say);
  try {
    await save();
  } catch (error) {
    const [oldest, ...newer] = await completeIn(root);
    // one in a run: what fills the volume may be something else
    if (error.code !== 'ENOSPC' || newer.length === 0) throw error;
    await remove(root, oldest, say);
    await save();
  }
  await removeBeyond(root, keep, say);
}

/** Of runs that were killed. Asked for their manifest once they are claimed: until then they may be completed. */
async function removeUnfinished(root, ifUnclaimed, say) {
  for (const name of await namesIn(root)) {
    await ifUnclaimed(name, async () => {
      if (!(await isComplete(root, name))) await remove(root, name, say);
    });
  }
}

async function removeBeyond(root, keep, say) {
  for (const name of (await completeIn(root)).slice(0, -keep)) await remove(root, name, say);
}

async function remove(root, name, say) {
  await rm(join(root, name), { recursive: true, force: true });
  say(`${join(root, name)} is removed.`);
}

const namesIn = async (root) => (await readdir(root)).filter((name) => NAME.test(name)).sort();

async function completeIn(root) {
  const complete = [];
  for (const name of await namesIn(root)) if (await isComplete(root, name)) complete.push(name);
  return complete;
}

const isComplete = (root, name) =>
  access(join(root, name, MANIFEST)).then(
    () => true,
    () => false,
  );
