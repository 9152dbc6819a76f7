import {
  type IngestedMessage,
  type IngestedSet,
  type Instant,
  type PartPosition,
  type SemanticPart,
  type SemanticParts,
} from '@loci/contracts';
import { ROWS_OF_ALL, scopedManager, type Transaction, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { type Scope } from '../projects/project.js';
import { SCHEMA } from '../database.js';
import { rowsIn } from '../projects/row-scope.js';
import { pageOf } from './part-queries.js';

/** A part of a kind with its place among the others. */
export interface PlacedPart<Part extends SemanticPart> {
  readonly position: PartPosition;
  readonly part: SemanticParts[Part][number];
}

export interface PageOptions {
  /** Absent = from the beginning. */
  readonly after: PartPosition | undefined;
  /** What the parts may be together, as text; the first one is there however large. */
  readonly maxBytes: number;
  readonly limit: number;
}

interface PartRow<Part extends SemanticPart> {
  readonly uid: string;
  readonly at: Instant;
  readonly part: SemanticParts[Part][number];
}

interface MessageRow {
  readonly episode_uid: string;
  readonly is_org_level: boolean;
  readonly tags: Readonly<Record<string, string>>;
  readonly is_whole: boolean;
  readonly categories: string[];
}

/** A message with a dead letter was ingested for the other categories alone. */
const INGESTED = `
SELECT message.episode_uid, sets.project_uid IS NULL AS is_org_level, sets.tag_values AS tags, categories,
       message.done_at IS NOT NULL AND NOT has_letter AS is_whole
FROM ${SCHEMA}.ingestion_messages AS message
JOIN ${SCHEMA}.sets ON sets.uid = message.set_uid
CROSS JOIN LATERAL (
  SELECT coalesce(array_agg(category ORDER BY category) FILTER (WHERE outcome = 'ingested'), '{}') AS categories,
         coalesce(bool_or(outcome = 'dead'), false) AS has_letter
  FROM ${SCHEMA}.ingestion_progress AS progress
  WHERE progress.set_uid = message.set_uid AND progress.episode_uid = message.episode_uid) AS progress
WHERE message.project_uid = $1 AND message.episode_uid = ANY($2::uuid[])
ORDER BY is_org_level, tags::text`;

/** Reads what a project takes along. */
@Injectable()
export class TransferRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** The next parts of a kind by the time of their making, then uid. */
  async next<Part extends SemanticPart>(
    scope: Scope,
    part: Part,
    { after, maxBytes, limit }: PageOptions,
  ): Promise<PlacedPart<Part>[]> {
    const rows = await this.unitOfWork.single(
      (manager) =>
        manager.query<PartRow<Part>[]>(pageOf(scope, part, after !== undefined), [
          ...[scope.orgId, scope.projectUid, limit, maxBytes],
          ...(after ? [after.createdAt, after.uid] : []),
        ]),
      rowsIn(scope),
    );
    return rows.map((row) => ({ position: { createdAt: row.at, uid: row.uid }, part: row.part }));
  }

  /** What the messages of the project were ingested for; those that were never in a backlog are left out. */
  async ingested(scope: Scope, episodeUids: readonly string[]): Promise<IngestedMessage[]> {
    const rows = await this.unitOfWork.single(
      (manager) => manager.query<MessageRow[]>(INGESTED, [scope.projectUid, episodeUids]),
      rowsIn(scope),
    );
    const messages = new Map<string, IngestedSet[]>();
    for (const row of rows) {
      messages.set(row.episode_uid, [...(messages.get(row.episode_uid) ?? []), ...toIngested(row)]);
    }
    return [...messages].map(([uid, ingested]) => ({ uid, ingested }));
  }

  /** Those of the uids that name a feature, of anybody, deleted ones whose vector is still there included. */
  async taken(featureUids: readonly string[], tx: Transaction): Promise<Set<string>> {
    const manager = await scopedManager(tx, ROWS_OF_ALL);
    const rows = await manager.query<{ uid: string }[]>(
      `SELECT uid FROM ${SCHEMA}.features WHERE uid = ANY($1::uuid[])`,
      [featureUids],
    );
    return new Set(rows.map(({ uid }) => uid));
  }
}

function toIngested({ is_org_level: isOrgLevel, tags, is_whole, categories }: MessageRow): IngestedSet[] {
  if (is_whole) return [{ isOrgLevel, tags }];
  return categories.length > 0 ? [{ isOrgLevel, tags, categories }] : [];
}
