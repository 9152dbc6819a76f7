import {
  type IngestedMessage,
  type IngestedSet,
  type Instant,
  type RowPosition,
  type SemanticPart,
  type SemanticParts,
} from '@loci/contracts';
import { type RowOf, ROWS_OF_ALL, type Transaction, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { held } from '../features/held-features.js';
import { type Scope } from '../projects/project.js';
import { rowsIn } from '../projects/row-scope.js';
import { type MemorySet } from '../sets/set.js';
import { INGESTED_MESSAGES } from './ingested-messages.sql.js';
import { LEARNED_MESSAGES } from './learned-messages.sql.js';
import { nextParts } from './next-parts.sql.js';
import { TAKEN_FEATURES } from './taken-features.sql.js';

/** A part of a kind with its position among the others. */
export interface PositionedPart<Part extends SemanticPart> {
  readonly position: RowPosition;
  readonly part: SemanticParts[Part][number];
}

export interface PageOptions {
  /** Absent = from the beginning. */
  readonly after: RowPosition | undefined;
  /** Only features that held then; undefined = also those that ended. */
  readonly asOf: Instant | undefined;
  /** What the parts may be together, as text; the first one is there however large. */
  readonly maxBytes: number;
  readonly limit: number;
}

/** A message with the sets that it belongs to. */
export interface MessageOfSets {
  readonly uid: string;
  readonly addedAt: Instant;
  readonly sets: readonly MemorySet[];
}

type MessageRow = RowOf<typeof INGESTED_MESSAGES.row>;

/** Reads what a project takes along. */
@Injectable()
export class TransferRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** The next parts of a kind by the time of their making, then uid. */
  async next<Part extends SemanticPart>(
    scope: Scope,
    part: Part,
    { after, asOf, maxBytes, limit }: PageOptions,
  ): Promise<PositionedPart<Part>[]> {
    const values = [
      ...[scope.orgId, scope.projectUid, limit, maxBytes],
      ...(after ? [after.createdAt, after.uid] : []),
    ];
    const isTimed = part === 'features' && asOf !== undefined;
    const features = held(isTimed ? { asOf } : { validity: 'all' }, values.length + 1);
    const rows = await this.unitOfWork.execute(
      nextParts(scope, part, { features, goesOn: after !== undefined }),
      [...values, ...features.parameters],
      { scope: rowsIn(scope) },
    );
    return rows.map((row) => ({ position: { createdAt: row.at, uid: row.uid }, part: row.part }));
  }

  /** What messages of the project were ingested for; those that were never in a backlog are left out. */
  async ingested(scope: Scope, messages: readonly MessageOfSets[]): Promise<IngestedMessage[]> {
    const inScope = { scope: rowsIn(scope) };
    const sets = new Map(messages.flatMap((message) => message.sets.map((set) => [set.uid, set] as const)));
    const given = messages.flatMap(({ uid: episode_uid, addedAt: added_at, sets: each }) =>
      each.map(({ uid: set_uid }) => ({ episode_uid, set_uid, added_at })),
    );
    const uids = messages.map(({ uid }) => uid);
    const [rows, learned] = await Promise.all([
      this.unitOfWork.execute(INGESTED_MESSAGES, [scope.projectUid, uids], inScope),
      this.unitOfWork.execute(LEARNED_MESSAGES, [scope.projectUid, JSON.stringify(given)], inScope),
    ]);
    const found = [
      ...rows.map((row) => ({ uid: row.episode_uid, sets: toIngested(row) })),
      ...learned.map((row) => ({ uid: row.episode_uid, sets: nameOf(sets.get(row.set_uid)) })),
    ];
    const ingested = new Map<string, IngestedSet[]>();
    for (const one of found) ingested.set(one.uid, [...(ingested.get(one.uid) ?? []), ...one.sets]);
    return [...ingested].map(([uid, all]) => ({ uid, ingested: all }));
  }

  /** Those of the uids that name a feature of any tenant, deleted ones whose vector is still there included. */
  async taken(featureUids: readonly string[], tx: Transaction): Promise<Set<string>> {
    const rows = await this.unitOfWork.execute(TAKEN_FEATURES, [featureUids], { tx, scope: ROWS_OF_ALL });
    return new Set(rows.map(({ uid }) => uid));
  }
}

function toIngested({ is_org_level: isOrgLevel, tags, is_whole, categories }: MessageRow): IngestedSet[] {
  if (is_whole) return [{ isOrgLevel, tags }];
  return categories.length > 0 ? [{ isOrgLevel, tags, categories }] : [];
}

const nameOf = (set: MemorySet | undefined): IngestedSet[] =>
  set ? [{ isOrgLevel: set.projectUid === undefined, tags: set.tags }] : [];
