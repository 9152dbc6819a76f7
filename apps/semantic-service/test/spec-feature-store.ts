import { tooLarge } from '@loci/contracts';
import { entityManager, type Transaction, type UnitOfWork } from '@loci/persistence';
import { SCHEMA } from '../src/database.js';
import { type AppliedChanges, type FeatureChange } from '../src/features/feature-change.js';
import { type FeatureLocation } from '../src/features/feature.js';
import { type FeatureGroup, TRUSTED } from '../src/features/partition.js';
import { type AlikeRequest, type ContextRequest } from '../src/search/feature-context.js';
import {
  FeatureStore,
  type ModelRequest,
  type ShownFeature,
} from '../src/ingestion/extraction/feature-store.js';

const FEATURES = `${SCHEMA}.spec_features`;

/** A value of which a change is refused, as one of features that are too large to be read. */
export const TOO_LARGE = 'too large';

/** Features in a plain table: duplicates are not merged, so that a second application would be seen. */
export class SpecFeatureStore extends FeatureStore {
  constructor(private readonly unitOfWork: UnitOfWork) {
    super();
  }

  override async apply(tx: Transaction, request: ModelRequest): Promise<AppliedChanges> {
    const isTooLarge = request.changes.some((change) => 'value' in change && change.value === TOO_LARGE);
    if (isTooLarge) throw tooLarge('body_too_large', 'It would change too much at once.');
    for (const change of request.changes) await this.step(change, request, tx);
    return { added: [], updated: [], removed: [] };
  }

  override async relevant({ location: { setUid }, categories }: ContextRequest): Promise<ShownFeature[]> {
    const found = categories.map((category) =>
      this.read('set_uid = $1 AND category = $2 LIMIT 50', [setUid, category]),
    );
    return (await Promise.all(found)).flat();
  }

  override alike({ location: { setUid }, categories, limit }: AlikeRequest): Promise<ShownFeature[]> {
    return this.read('set_uid = $1 AND category = ANY($2::text[]) LIMIT $3', [setUid, categories, limit]);
  }

  override async groups({ setUid }: FeatureLocation, categories: readonly string[]): Promise<FeatureGroup[]> {
    const { length } = await this.read('set_uid = $1 AND category = ANY($2::text[])', [setUid, categories]);
    return length === 0 ? [] : [{ subject: undefined, count: length, partition: TRUSTED }];
  }

  override takenApart(): Promise<ReadonlyMap<string, readonly string[]>> {
    return Promise.resolve(new Map());
  }

  private read(condition: string, parameters: unknown[]): Promise<ShownFeature[]> {
    return this.unitOfWork.single((manager) =>
      manager.query<ShownFeature[]>(
        `SELECT uid, category, tag, name, value FROM ${FEATURES} WHERE ${condition}`,
        parameters,
      ),
    );
  }

  private async step(
    change: FeatureChange,
    { location, category, origin }: ModelRequest,
    tx: Transaction,
  ): Promise<void> {
    const manager = entityManager(tx);
    const insert = (
      tag: string,
      name: string,
      value: string,
      citations: readonly string[],
    ): Promise<unknown> =>
      manager.query(
        `INSERT INTO ${FEATURES} (set_uid, category, tag, name, value, citations, job_id)
         VALUES ($1, $2, $3, $4, $5, $6, $7)`,
        [location.setUid, category, tag, name, value, citations, origin.jobId],
      );
    if (change.kind === 'replace') {
      const gone = await manager.query<[{ citations: string[] }[], number]>(
        `DELETE FROM ${FEATURES} WHERE uid = ANY($1::uuid[]) RETURNING citations`,
        [change.uids],
      );
      const citations = [...new Set(gone[0].flatMap((row) => row.citations))];
      for (const { tag, name, value } of change.by) await insert(tag, name, value, citations);
      return;
    }
    if (change.kind === 'remove') {
      await manager.query(`DELETE FROM ${FEATURES} WHERE uid = ANY($1::uuid[])`, [change.uids]);
      return;
    }
    if (change.kind === 'contradict') return;
    if (change.kind !== 'add') {
      await manager.query(
        `DELETE FROM ${FEATURES} WHERE set_uid = $1 AND category = $2 AND tag = $3 AND name = $4`,
        [location.setUid, category, change.tag, change.name],
      );
    }
    if (change.kind === 'delete') return;
    const citations = change.citations.map(({ episodeUid }) => episodeUid);
    await insert(change.tag, change.name, change.value, citations);
  }
}
