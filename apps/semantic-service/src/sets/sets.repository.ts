import { MAX_ANSWER_BYTES, type ResourceKind } from '@loci/contracts';
import { ROWS_OF_ALL, rowsWithin, scopedManager, type Transaction, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { type Scope } from '../projects/project.js';
import { rowsIn } from '../projects/row-scope.js';
import { ADD_SET_TYPE } from './add-set-type.sql.js';
import { CONFIGURE_SET } from './configure-set.sql.js';
import { findSetType } from './find-set-type.sql.js';
import { findSets } from './find-sets.sql.js';
import { keysOfTypes } from './keys-of-types.sql.js';
import { KNOWN_SETS } from './known-sets.sql.js';
import { listSetTypes } from './list-set-types.sql.js';
import { PRESET_SET } from './preset-set.sql.js';
import { REGISTER_SETS } from './register-sets.sql.js';
import { keysHash, tagKeys } from './set-identity.js';
import { toSetOfRow, toSetType } from './set-rows.js';
import { SET_TYPE_OF_IDENTITY } from './set-type-of-identity.sql.js';
import { tagsOfTypes } from './tags-of-types.sql.js';
import { SetTypeEntity } from './set-type.entity.js';
import { SetEntity } from './set.entity.js';
import { type MemorySet, type SetConfiguration, type SetType, setUidsFor, type TaggedType } from './set.js';

const FEWER_KEYS = 'ask with fewer metadata keys, or delete set types that are not needed';

/** Where sets and their types are kept. What a scope does not show is not there. */
@Injectable()
export class SetsRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Notes the sets that are not known yet. */
  async register(sets: readonly MemorySet[], tx?: Transaction): Promise<void> {
    const rows = [...sets].sort((a, b) => (a.uid < b.uid ? -1 : 1)).map(toInsert);
    await this.unitOfWork.execute(REGISTER_SETS, [JSON.stringify(rows)], { tx, scope: ROWS_OF_ALL });
  }

  /** Those of the uids that are registered. */
  async known(uids: readonly string[], tx: Transaction): Promise<ReadonlySet<string>> {
    const rows = await this.unitOfWork.execute(KNOWN_SETS, [uids], { tx, scope: ROWS_OF_ALL });
    return new Set(rows.map(({ uid }) => uid));
  }

  /** The registered set of this public id; the project's own before one of its organization. */
  find(scope: Scope, id: string, tx?: Transaction): Promise<MemorySet | undefined> {
    return this.findAny(scope, setUidsFor(scope, id), tx);
  }

  /** The registered set of this uid. */
  byUid(scope: Scope, uid: string, tx?: Transaction): Promise<MemorySet | undefined> {
    return this.findAny(scope, [uid], tx);
  }

  /** @returns whether that changes anything */
  async configure(
    set: MemorySet,
    { embedderName, llmName }: Partial<SetConfiguration>,
    tx: Transaction,
  ): Promise<boolean> {
    const values = [set.uid, embedderName, llmName];
    const rows = await this.unitOfWork.execute(CONFIGURE_SET, values, { tx, scope: rowsIn(set) });
    return rows.length === 1;
  }

  /** Configures what is not configured yet. @returns whether there was something */
  async preset(
    set: MemorySet,
    { embedderName, llmName }: SetConfiguration,
    tx: Transaction,
  ): Promise<boolean> {
    const values = [set.uid, embedderName, llmName];
    const rows = await this.unitOfWork.execute(PRESET_SET, values, { tx, scope: rowsIn(set) });
    return rows.length === 1;
  }

  /** The ids of sets, of any tenant, that were configured to use a resource. */
  async using(kind: ResourceKind, name: string, limit: number): Promise<string[]> {
    if (kind === 'reranker') return [];
    const where = kind === 'embedder' ? { embedderName: name } : { llmName: name };
    const rows = await this.unitOfWork.single(
      (manager) =>
        manager.find(SetEntity, { select: { id: true }, where, order: { id: 'ASC' }, take: limit }),
      ROWS_OF_ALL,
    );
    return rows.map(({ id }) => id);
  }

  /**
   * The types that the scope shows, oldest first.
   * @param page.limit undefined = all
   * @throws AppError `body_too_large`
   */
  async types(
    scope: Scope,
    { limit, offset }: { readonly limit: number | undefined; readonly offset: number },
  ): Promise<SetType[]> {
    const rows = await this.readTypes(scope, [null, limit, offset]);
    const count = rows[0]?.page_rows ?? 0;
    return rowsWithin(rows, { maxBytes: MAX_ANSWER_BYTES, field: 'page_size', count }).map(toSetType);
  }

  /** Those of the uids, with their texts. @throws AppError `body_too_large` */
  async typesByUid(scope: Scope, uids: readonly string[]): Promise<SetType[]> {
    if (uids.length === 0) return [];
    const rows = await this.readTypes(scope, [uids, null, 0]);
    return rowsWithin(rows, { maxBytes: MAX_ANSWER_BYTES, remedy: FEWER_KEYS }).map(toSetType);
  }

  /** What decides which sets a message belongs to, of all types that the scope shows. */
  async tagsOfTypes(scope: Scope, tx?: Transaction): Promise<TaggedType[]> {
    const values = [scope.orgId, scope.projectUid];
    const inScope = { tx, scope: rowsIn(scope) };
    const rows = await this.unitOfWork.execute(tagsOfTypes(scope), values, inScope);
    return rows.map(({ uid, project_uid, tags }) => ({ uid, projectUid: project_uid ?? undefined, tags }));
  }

  /** The keys of those types whose sets have this in their ids (`idHash`). */
  async keysOfTypes(scope: Scope, hash: string): Promise<(readonly string[])[]> {
    const values = [scope.orgId, scope.projectUid, hash];
    const rows = await this.unitOfWork.execute(keysOfTypes(scope), values, { scope: rowsIn(scope) });
    return rows.map(({ tags }) => tags);
  }

  findType(scope: Scope, uid: string, tx?: Transaction): Promise<SetType | undefined> {
    return this.typeOf(scope, uid, { tx, isLocked: false });
  }

  /** As `findType`; the type stays until the transaction ends. */
  lockType(scope: Scope, uid: string, tx: Transaction): Promise<SetType | undefined> {
    return this.typeOf(scope, uid, { tx, isLocked: true });
  }

  /** Adds the type unless there is one of the same owner and tags. @returns the uid of the one that is there */
  async addType(type: SetType, tx?: Transaction): Promise<string> {
    const identity = [type.orgId, type.projectUid, keysHash(type.tags)];
    const values = [type.uid, type.tags, type.name, type.description];
    const inScope = { tx, scope: rowsIn(type) };
    await this.unitOfWork.execute(ADD_SET_TYPE, [...identity, ...values], inScope);
    const [row] = await this.unitOfWork.execute(SET_TYPE_OF_IDENTITY, identity, inScope);
    return row?.uid ?? type.uid;
  }

  /** With its templates. */
  async removeType(type: SetType, tx: Transaction): Promise<void> {
    await (await scopedManager(tx, rowsIn(type))).delete(SetTypeEntity, { uid: type.uid });
  }

  private readTypes(scope: Scope, asked: readonly [uids: unknown, limit: unknown, offset: number]) {
    const values = [scope.orgId, scope.projectUid, ...asked, MAX_ANSWER_BYTES];
    return this.unitOfWork.execute(listSetTypes(scope), values, { scope: rowsIn(scope) });
  }

  private async findAny(
    scope: Scope,
    uids: readonly string[],
    tx: Transaction | undefined,
  ): Promise<MemorySet | undefined> {
    const values = [scope.orgId, scope.projectUid, uids];
    const [row] = await this.unitOfWork.execute(findSets(scope), values, { tx, scope: rowsIn(scope) });
    return row && toSetOfRow(row);
  }

  private async typeOf(
    scope: Scope,
    uid: string,
    { tx, isLocked }: { readonly tx: Transaction | undefined; readonly isLocked: boolean },
  ): Promise<SetType | undefined> {
    const values = [scope.orgId, scope.projectUid, uid];
    const statement = findSetType(scope, isLocked);
    const [row] = await this.unitOfWork.execute(statement, values, { tx, scope: rowsIn(scope) });
    return row && toSetType(row);
  }
}

const toInsert = ({ uid, id, orgId, projectUid, kind, tags, isMadeUp }: MemorySet): object => ({
  uid,
  id,
  org_id: orgId,
  project_uid: projectUid ?? null,
  kind,
  tags: tagKeys(Object.keys(tags)),
  tag_values: tags,
  is_made_up: isMadeUp ?? false,
});
