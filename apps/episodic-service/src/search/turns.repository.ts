import { type Filter } from '@loci/contracts';
import { type Turn } from '@loci/retrieval';
import { type RowOf, rowsOf, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { matching } from '../episodes/episode-rows.js';
import { contextOfTurns } from './context-of-turns.sql.js';
import { type TurnPosition, type TurnPositions, TURNS_AROUND } from './turns-around.sql.js';

/** How many episodes on each side of a hit belong to its context. */
export interface ContextSize {
  readonly before: number;
  readonly after: number;
  /** Among as many on each side they are looked for: any number may not match. */
  readonly within: number;
}

interface SaidOfTexts {
  readonly changes?: boolean;
  readonly questions?: boolean;
  readonly exact?: string | undefined;
}

type TurnsAround = RowOf<typeof TURNS_AROUND.row>;

/** The neighbours in time of the episodes of a project, for searches. */
@Injectable()
export class TurnsRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /**
   * Those of the episodes that are in long-term memory, with the turns right before and after them.
   * @param said what is said of the texts of the episodes themselves: whether they announce a change, are questions, and are
   * exactly the text `exact`
   */
  async around(
    projectUid: string,
    uids: readonly string[],
    { changes = false, questions = false, exact }: SaidOfTexts = {},
  ): Promise<Turn[]> {
    const scope = rowsOf(projectUid);
    const parameters = [projectUid, uids, changes, questions, exact ?? null];
    const [row] = await this.unitOfWork.execute(TURNS_AROUND, parameters, { scope });
    return row ? toTurns(row) : [];
  }

  /**
   * The matching episodes of its conversation on both sides of each, nearest first, by uid: those before, then those after.
   * An episode without neighbours may be missing.
   */
  async contextOf(
    projectUid: string,
    uids: readonly string[],
    filter: Filter | undefined,
    { before, after, within }: ContextSize,
  ): Promise<Map<string, string[]>> {
    const predicate = matching(filter, 6);
    const rows = await this.unitOfWork.execute(
      contextOfTurns(predicate),
      [projectUid, uids, before, after, within, ...predicate.parameters],
      { scope: rowsOf(projectUid) },
    );
    return new Map(rows.map(({ uid, context }) => [uid, context]));
  }
}

/** A turn that is only a neighbour of a found one knows only this one as its own neighbour. */
function toTurns(around: TurnsAround): Turn[] {
  const turns = new Map<string, Turn>();
  for (let index = 0; index < around.own[0].length; index += 1) {
    const own = positionAt(around.own, index);
    const previous = positionAt(around.previous, index);
    const next = positionAt(around.next, index);
    const conversation = around.conversations[index];
    if (!own || conversation === undefined) continue;
    if (previous) note(turns, previous, { conversation, next: own[0] });
    if (next) note(turns, next, { conversation, previous: own[0] });
    note(turns, own, {
      conversation,
      announcesChange: around.changes?.[index],
      isQuestion: around.questions?.[index],
      repeatsQuery: around.repetitions?.[index],
      previous: previous?.[0],
      next: next?.[0],
    });
  }
  return [...turns.values()];
}

function positionAt(
  [uids, times, speakers, roles, lengths]: TurnPositions,
  index: number,
): TurnPosition | undefined {
  const [uid, atMs, speaker, role] = [uids[index], times[index], speakers[index], roles[index]];
  const length = lengths[index];
  return uid == null || atMs == null || speaker == null || role == null || length == null
    ? undefined
    : [uid, atMs, speaker, role, length];
}

function note(
  turns: Map<string, Turn>,
  [id, atMs, speaker, role, length]: TurnPosition,
  {
    conversation,
    announcesChange,
    isQuestion,
    repeatsQuery,
    previous,
    next,
  }: Omit<Turn, 'id' | 'atMs' | 'speaker' | 'role' | 'length'>,
): void {
  const known = turns.get(id);
  turns.set(id, {
    id,
    atMs,
    speaker,
    role,
    length,
    conversation,
    announcesChange: announcesChange ?? known?.announcesChange,
    isQuestion: isQuestion ?? known?.isQuestion,
    repeatsQuery: repeatsQuery ?? known?.repeatsQuery,
    previous: previous ?? known?.previous,
    next: next ?? known?.next,
  });
}
