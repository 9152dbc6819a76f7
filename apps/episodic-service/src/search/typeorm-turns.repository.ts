import { type Filter } from '@loci/contracts';
import { type PreparedStatement, rowsOf, UnitOfWork } from '@loci/persistence';
import { type Turn } from '@loci/retrieval';
import { Injectable } from '@nestjs/common';
import { SCHEMA } from '../database.js';
import { adjacentEpisode, BELONGS } from '../episodes/adjacent-episodes.sql.js';
import { matching } from '../episodes/episode-rows.js';
import { type ContextSize, TurnsRepository } from './turns.repository.js';

/** Uid, time in Unix ms, speaker. */
type Place = readonly [uid: string, atMs: number, speaker: string];

/** An episode, and those right before and after it. */
type PlacesAround = readonly [own: Place, previous: Place | null, next: Place | null];

const placeOf = (table: string): string =>
  `json_build_array(${table}.uid, date_part('epoch', ${table}.created_at) * 1000, ${table}.producer_id)`;

/** Parameters: the project, the uids. One row: reading hundreds of them costs the driver more than the search itself. */
const AROUND: PreparedStatement = {
  name: 'turns_around',
  sql: `
SELECT json_agg(json_build_array(${placeOf('found')}, previous.place, next.place)) AS places
FROM (SELECT * FROM ${SCHEMA}.episodes WHERE project_uid = $1 AND uid = ANY ($2::uuid[]) AND ${BELONGS}) AS found
LEFT JOIN LATERAL ${adjacentEpisode('before', `${placeOf('episodes')} AS place`, 'found')} AS previous ON true
LEFT JOIN LATERAL ${adjacentEpisode('after', `${placeOf('episodes')} AS place`, 'found')} AS next ON true`,
};

@Injectable()
export class TypeormTurnsRepository extends TurnsRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {
    super();
  }

  override async around(projectUid: string, uids: readonly string[]): Promise<Turn[]> {
    const scope = rowsOf(projectUid);
    const [row] = await this.unitOfWork.prepared<{ places: readonly PlacesAround[] | null }>(
      AROUND,
      [projectUid, uids],
      { scope },
    );
    return toTurns(row?.places ?? []);
  }

  override async contextOf(
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
         FROM ${SCHEMA}.episodes AS hit WHERE project_uid = $1 AND uid = ANY ($2::uuid[]) AND ${BELONGS}`,
          [projectUid, uids, before, after, ...parameters],
        ),
      rowsOf(projectUid),
    );
    return new Map(rows.map(({ uid, context }) => [uid, context]));
  }
}

/** A turn that is only a neighbour of a found one knows only this one as its own neighbour. */
function toTurns(places: readonly PlacesAround[]): Turn[] {
  const turns = new Map<string, Turn>();
  for (const [own, previous, next] of places) {
    if (previous) note(turns, previous, { next: own[0] });
    if (next) note(turns, next, { previous: own[0] });
    note(turns, own, { previous: previous?.[0], next: next?.[0] });
  }
  return [...turns.values()];
}

function note(
  turns: Map<string, Turn>,
  [id, atMs, speaker]: Place,
  neighbours: Pick<Turn, 'previous' | 'next'>,
): void {
  const known = turns.get(id);
  turns.set(id, {
    id,
    atMs,
    speaker,
    previous: neighbours.previous ?? known?.previous,
    next: neighbours.next ?? known?.next,
  });
}
