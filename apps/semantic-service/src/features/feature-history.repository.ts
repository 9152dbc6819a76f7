import { MAX_ANSWER_BYTES, tooLarge } from '@loci/contracts';
import {
  execute,
  firstRows,
  ROWS_OF_ALL,
  rowsWithin,
  scopedManager,
  type Transaction,
  UnitOfWork,
} from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { Any } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { groupsOf } from '../groups.js';
import { type Owner, type Scope } from '../projects/project.js';
import { rowsIn } from '../projects/row-scope.js';
import { ADD_HISTORY } from './add-history.sql.js';
import { anyOfFeature } from './any-of-feature.sql.js';
import { MAX_READ_BYTES } from './bounded-records.js';
import { changeOfFeature } from './change-of-feature.sql.js';
import { countSetChanges } from './count-set-changes.sql.js';
import { FeatureChangeEntity } from './feature-change.entity.js';
import {
  type HistoryEntry,
  type HistoryPage,
  type NewHistoryEntry,
  type OutlinedEntry,
  type SetChange,
} from './feature-history.js';
import { type FeatureLocation } from './feature.js';
import { FORGET_MODEL_CALLS_OF } from './forget-model-calls-of.sql.js';
import { FORGET_PROPOSALS_OF } from './forget-proposals-of.sql.js';
import { FORGET_REMOVALS } from './forget-removals.sql.js';
import { historyEntries } from './history-entries.sql.js';
import { historyOfChanges } from './history-of-changes.sql.js';
import { historySince } from './history-since.sql.js';
import { knownEntries } from './known-entries.sql.js';
import { toHistoryEntry, toHistoryRow, toListedEntry, toOutline } from './history-rows.js';
import { listSetChanges } from './list-set-changes.sql.js';
import { pageOfHistory } from './page-of-history.sql.js';
import { TAKEN_APART } from './taken-apart.sql.js';
import { type SetsOfCategory } from './wanted-records.js';

/** What the entries of one page may have together: one has up to 600 kB by its citations alone. */
const MAX_PAGE_BYTES = 1024 * 1024;
const MAX_PAGE_ENTRIES = 1_000;

export interface ChangePage {
  readonly offset: number;
  readonly limit: number;
  /** The change behind which the pages begin; absent: the newest. */
  readonly behind?: string | undefined;
}

/** What an undo reads at once, in bytes: it is done as a whole, or not at all. */
export const MAX_UNDONE_BYTES = 4 * MAX_READ_BYTES;

/** Entries of the history of a set that are counted: of more, no one is told how many changes they are. */
export const MAX_COUNTED = 200_000;

/** @throws AppError `body_too_large` when the entries were too large together to be read */
function undoable<Row extends { readonly uid: string | null; readonly page_bytes: number }>(
  rows: readonly Row[],
): (Row & { readonly uid: string })[] {
  const found = rows.filter((row): row is Row & { readonly uid: string } => row.uid !== null);
  const bytes = rows[0]?.page_bytes ?? 0;
  if (found.length > 0 || bytes <= MAX_UNDONE_BYTES) return found;
  throw tooLarge(
    'body_too_large',
    `What would be undone has ${bytes} bytes, more than ${MAX_UNDONE_BYTES}, so nothing was; undo fewer changes at once, or later ones before, or single features.`,
  );
}

/** What happened to features, for as long as the episodes behind it are remembered. */
@Injectable()
export class FeatureHistoryRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** @param entries of features of the owner, and of its organization, in the sequence in which they happened */
  async add(owner: Owner, entries: readonly NewHistoryEntry[], tx: Transaction): Promise<void> {
    if (entries.length === 0) return;
    const rows = entries.map((entry) => toHistoryRow(uuidv7(), entry));
    await this.unitOfWork.execute(ADD_HISTORY, [JSON.stringify(rows)], { tx, scope: rowsIn(owner) });
  }

  /**
   * What one change did to a feature, newest first.
   * @param changeUid of the change, or of one of its entries; default: the newest change of the feature
   */
  async ofFeature(
    scope: Scope,
    featureUid: string,
    changeUid?: string,
    tx?: Transaction,
  ): Promise<HistoryEntry[]> {
    const values = [scope.orgId, scope.projectUid, featureUid, changeUid ?? null];
    const rows = await this.unitOfWork.execute(changeOfFeature(scope), values, { tx, scope: rowsIn(scope) });
    return rows.map(toHistoryEntry);
  }

  /** What happened to a feature, newest first, page by page. @param behind the `next` of the page before; undefined for the newest */
  async page(scope: Scope, featureUid: string, behind: string | undefined): Promise<HistoryPage> {
    const limits = { limit: MAX_PAGE_ENTRIES, maxBytes: MAX_PAGE_BYTES };
    const found = await this.unitOfWork.execute(
      pageOfHistory(scope, behind !== undefined),
      [
        ...[scope.orgId, scope.projectUid, featureUid, limits.limit + 1, limits.maxBytes],
        ...(behind === undefined ? [] : [behind]),
      ],
      { scope: rowsIn(scope) },
    );
    const { rows, hasMore } = firstRows(found, limits);
    return { entries: rows.map(toListedEntry), next: hasMore ? rows.at(-1)?.uid : undefined };
  }

  /** Whether anything is known that happened to a feature. */
  async knows(scope: Scope, featureUid: string, tx: Transaction): Promise<boolean> {
    const values = [scope.orgId, scope.projectUid, featureUid];
    const options = { tx, scope: rowsIn(scope) };
    return (await this.unitOfWork.execute(anyOfFeature(scope), values, options)).length > 0;
  }

  /** What belongs to some changes of a set, newest first. @throws AppError `body_too_large` */
  async ofChanges(
    scope: Scope,
    setUid: string,
    changeUids: readonly string[],
    tx: Transaction,
  ): Promise<OutlinedEntry[]> {
    const values = [scope.orgId, scope.projectUid, setUid, changeUids, MAX_UNDONE_BYTES];
    const inScope = { tx, scope: rowsIn(scope) };
    return undoable(await this.unitOfWork.execute(historyOfChanges(scope), values, inScope)).map(toOutline);
  }

  /** Those of some entries of a set that are still known, newest first. @throws AppError `body_too_large` */
  async entries(
    scope: Scope,
    setUid: string,
    uids: readonly string[],
    tx: Transaction,
  ): Promise<HistoryEntry[]> {
    const values = [scope.orgId, scope.projectUid, setUid, uids, MAX_UNDONE_BYTES];
    const inScope = { tx, scope: rowsIn(scope) };
    return undoable(await this.unitOfWork.execute(historyEntries(scope), values, inScope)).map(
      toHistoryEntry,
    );
  }

  /** Whether all of these entries of a set are still known: what a deleted message said is forgotten. */
  async knowsAll(scope: Scope, setUid: string, uids: readonly string[], tx: Transaction): Promise<boolean> {
    const values = [scope.orgId, scope.projectUid, setUid, uids];
    const rows = await this.unitOfWork.execute(knownEntries(scope), values, { tx, scope: rowsIn(scope) });
    return rows.length === new Set(uids).size;
  }

  /** What happened to some features of a set since an entry, which counts, newest first. @throws AppError `body_too_large` */
  async since(
    scope: Scope,
    setUid: string,
    { uid, featureUids }: { readonly uid: string; readonly featureUids: readonly string[] },
    tx: Transaction,
  ): Promise<OutlinedEntry[]> {
    const values = [scope.orgId, scope.projectUid, setUid, featureUids, uid, MAX_UNDONE_BYTES];
    const inScope = { tx, scope: rowsIn(scope) };
    return undoable(await this.unitOfWork.execute(historySince(scope), values, inScope)).map(toOutline);
  }

  /** Of some features of a set those that a merge had taken away and undo brought back, each with the uids of these changes. */
  async takenApart(of: FeatureLocation, featureUids: readonly string[]): Promise<Map<string, string[]>> {
    const values = [of.setUid, featureUids];
    const rows = await this.unitOfWork.execute(TAKEN_APART, values, { scope: rowsIn(of) });
    const groups = groupsOf(rows, ({ feature_uid }) => feature_uid);
    return new Map(groups.map((ofOne) => [ofOne[0].feature_uid, ofOne.map(({ change_uid }) => change_uid)]));
  }

  /**
   * The changes of a set, newest first; `total` is absent where they are too many to be counted, and where the pages begin behind a change.
   * @throws AppError `body_too_large` when the page would be too large for an answer, before it is read
   */
  async changes(
    scope: Scope,
    setUid: string,
    { offset, limit, behind }: ChangePage,
  ): Promise<{ changes: SetChange[]; total: number | undefined }> {
    const values = [scope.orgId, scope.projectUid, setUid];
    const total = behind === undefined ? await this.countChanges(scope, values) : undefined;
    const page = [...values, limit, offset, MAX_ANSWER_BYTES, ...(behind === undefined ? [] : [behind])];
    const list = listSetChanges(scope, behind !== undefined);
    const rows = await this.unitOfWork.execute(list, page, { scope: rowsIn(scope) });
    const asked = { maxBytes: MAX_ANSWER_BYTES, field: 'page_size', count: limit };
    const changes = rowsWithin(rows, asked).map(({ uid, origin, job_id, model, author, at, features }) => ({
      uid,
      origin,
      at,
      features,
      jobId: job_id ?? undefined,
      model: model ?? undefined,
      author: author ?? undefined,
    }));
    return { changes, total };
  }

  /** @returns undefined where they are too many */
  private async countChanges(scope: Scope, ofSet: readonly unknown[]): Promise<number | undefined> {
    const inScope = { scope: rowsIn(scope) };
    const count = countSetChanges(scope);
    const [counted] = await this.unitOfWork.execute(count, [...ofSet, MAX_COUNTED + 1], inScope);
    const { total = 0, entries = 0 } = counted ?? {};
    return entries > MAX_COUNTED ? undefined : total;
  }

  /** Forgets which messages removed features of a category, so that these stay away when the messages are deleted. */
  async forgetRemovals(owner: Owner, { setUids, category }: SetsOfCategory, tx: Transaction): Promise<void> {
    await this.unitOfWork.execute(FORGET_REMOVALS, [setUids, category], { tx, scope: rowsIn(owner) });
  }

  /** Forgets all that happened to these features of the owner, and of its organization, what was proposed of them, and what models were shown of them. */
  async forget(owner: Owner, featureUids: readonly string[], tx: Transaction): Promise<void> {
    const manager = await scopedManager(tx, rowsIn(owner));
    await manager.delete(FeatureChangeEntity, { featureUid: Any([...featureUids]) });
    await execute(manager, FORGET_PROPOSALS_OF, [featureUids]);
    // those in sets of the organization belong to the project whose messages they show
    await this.unitOfWork.execute(FORGET_MODEL_CALLS_OF, [featureUids], { tx, scope: ROWS_OF_ALL });
  }
}
