import { type ChangeRequest } from './feature-change.js';
import { type WantedRecords } from './features.repository.js';
import { type Partition } from './partition.js';

/** Which features the steps of a request may touch. */
export function wantedBy({
  location: { setUid },
  category,
  partition,
  changes,
}: Pick<ChangeRequest, 'location' | 'category' | 'changes'> & {
  readonly partition: Partition;
}): WantedRecords {
  const inCategory = { setUid, category, ...partition };
  const contents = changes.flatMap((change) => {
    if (change.kind === 'replace') return change.by;
    return change.kind === 'add' || change.kind === 'update' ? [change] : [];
  });
  const named = changes.flatMap((change) =>
    change.kind === 'update' || change.kind === 'delete' ? [change] : [],
  );
  return {
    contents: contents.map(({ subject, tag, name, value }) => ({ ...inCategory, subject, tag, name, value })),
    names: named.flatMap(({ subject, tag, name }) =>
      [...new Set([subject, undefined])].map((about) => ({ ...inCategory, subject: about, tag, name })),
    ),
    uids: changes.flatMap((change) => ('uids' in change ? change.uids : [])),
    setUid,
  };
}
