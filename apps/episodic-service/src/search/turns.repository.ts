import { type Filter } from '@loci/contracts';
import { type Turn } from '@loci/retrieval';
import { type PreparedStatement, rowsOf, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { SCHEMA } from '../database.js';
import { adjacentEpisode, BELONGS } from '../episodes/adjacent-episodes.sql.js';
import { matching } from '../episodes/episode-rows.js';
import { episodesByUid } from '../episodes/episodes-by-uid.sql.js';

/** How many episodes on each side of a hit belong to its context. */
export interface ContextSize {
  readonly before: number;
  readonly after: number;
}

/** Uid, time in Unix ms, speaker, role. */
type Place = readonly [uid: string, atMs: number, speaker: string, role: string];

/** Many rows, column by column; null in all columns where there is no such row. */
type Columns<Row extends readonly unknown[]> = {
  readonly [Column in keyof Row]: readonly (Row[Column] | null)[];
};

type Places = Columns<Place>;

/** Found episodes, and those right before and after each. */
interface PlacesAround {
  readonly own: Places;
  readonly previous: Places;
  readonly next: Places;
}

const placesOf = (table: string): string => `json_build_array(
  json_agg(${table}.uid), json_agg(date_part('epoch', ${table}.created_at) * 1000), json_agg(${table}.producer_id),
  json_agg(${table}.producer_role))`;

const PLACE_COLUMNS = 'uid, created_at, producer_id, producer_role';

/**
 * Parameters: the project, the uids. One row: reading hundreds of them costs the driver more than the search itself, and
 * a JSON array of its own for each of them costs the server a fifth of the statement.
 */
const AROUND: PreparedStatement = {
  name: 'turns_around',
  sql: `
SELECT ${placesOf('found')} AS own, ${placesOf('previous')} AS previous, ${placesOf('next')} AS next
FROM ${episodesByUid('$2::uuid[]')} AS found
LEFT JOIN LATERAL ${adjacentEpisode('before', PLACE_COLUMNS, 'found')} AS previous ON true
LEFT JOIN LATERAL ${adjacentEpisode('after', PLACE_COLUMNS, 'found')} AS next ON true
WHERE project_uid = $1 AND ${BELONGS}
HAVING count(*) > 0`,
};

/** Newest episodes whose producers count as participants: one step in the index `episodes_in_order`. */
const RECENT = 200;

/** Parameters: the project. */
const PARTICIPANTS: PreparedStatement = {
  name: 'participants',
  sql: `
SELECT DISTINCT producer_id FROM (
  SELECT producer_id FROM ${SCHEMA}.episodes WHERE project_uid = $1 AND ${BELONGS}
  ORDER BY created_at DESC, uid DESC LIMIT ${RECENT}) AS recent`,
};

/** The order of the episodes of a project in time, as far as a search looks at it. */
@Injectable()
export class TurnsRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Those of the episodes that are in long-term memory, with the turns right before and after them. */
  async around(projectUid: string, uids: readonly string[]): Promise<Turn[]> {
    const scope = rowsOf(projectUid);
    const [row] = await this.unitOfWork.prepared<PlacesAround>(AROUND, [projectUid, uids], { scope });
    return row ? toTurns(row) : [];
  }

  /** Who spoke last: the producers of the newest episodes of a project, whatever their order. */
  async participants(projectUid: string): Promise<string[]> {
    const scope = rowsOf(projectUid);
    const rows = await this.unitOfWork.prepared<{ producer_id: string }>(PARTICIPANTS, [projectUid], {
      scope,
    });
    return rows.map(({ producer_id }) => producer_id);
  }

  /**
   * The matching episodes on both sides of each, nearest first, by uid: those before, then those after.
   * An episode without neighbours may be missing.
   */
  async contextOf(
    projectUid: string,
    uids: readonly string[],
    filter: Filter | undefined,
    { before, after }: ContextSize,
  ): Promise<Map<string, string[]>> {
    const { sql, parameters } = matching(filter, 5);
    const neighbours = (than: '<' | '>', order: 'DESC' | 'ASC', limit: string): string =>
      `ARRAY(SELECT uid::text FROM ${SCHEMA}.episodes WHERE project_uid = $1
         AND (created_at, uid) ${than} (hit.created_at, hit.uid) AND ${BELONGS} AND ${sql}
         ORDER BY created_at ${order}, uid ${order} LIMIT ${limit})`;
    const rows = await this.unitOfWork.single(
      (manager) =>
        manager.query<{ uid: string; context: string[] }[]>(
          `SELECT uid, ${neighbours('<', 'DESC', '$3')} || ${neighbours('>', 'ASC', '$4')} AS context
         FROM ${episodesByUid('$2::uuid[]')} AS hit WHERE project_uid = $1 AND ${BELONGS}`,
          [projectUid, uids, before, after, ...parameters],
        ),
      rowsOf(projectUid),
    );
    return new Map(rows.map(({ uid, context }) => [uid, context]));
  }
}

/** A turn that is only a neighbour of a found one knows only this one as its own neighbour. */
function toTurns(around: PlacesAround): Turn[] {
  const turns = new Map<string, Turn>();
  for (let index = 0; index < around.own[0].length; index += 1) {
    const own = placeAt(around.own, index);
    const previous = placeAt(around.previous, index);
    const next = placeAt(around.next, index);
    if (!own) continue;
    if (previous) note(turns, previous, { next: own[0] });
    if (next) note(turns, next, { previous: own[0] });
    note(turns, own, { previous: previous?.[0], next: next?.[0] });
  }
  return [...turns.values()];
}

function placeAt([uids, times, speakers, roles]: Places, index: number): Place | undefined {
  const [uid, atMs, speaker, role] = [uids[index], times[index], speakers[index], roles[index]];
  return uid == null || atMs == null || speaker == null || role == null
    ? undefined
    : [uid, atMs, speaker, role];
}

function note(
  turns: Map<string, Turn>,
  [id, atMs, speaker, role]: Place,
  neighbours: Pick<Turn, 'previous' | 'next'>,
): void {
  const known = turns.get(id);
  turns.set(id, {
    id,
    atMs,
    speaker,
    role,
    previous: neighbours.previous ?? known?.previous,
    next: neighbours.next ?? known?.next,
  });
}
