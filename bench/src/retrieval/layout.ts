import { type Conversation, type Turn, TURN_DISTANCE_MS } from './dataset.js';

/**
 * `alone`: each conversation is a project. `aligned`: the same, with sessions moved so that those of all conversations
 * begin at the same times. `interleaved`: all are one project, with the times of `aligned`: a turn of each in rotation,
 * told apart by a session id in their metadata, by which questions filter.
 */
export const LAYOUTS = ['alone', 'aligned', 'interleaved'] as const;

export type Layout = (typeof LAYOUTS)[number];

/** Turns further apart than this are of different sessions. */
const SESSION_GAP_MS = 3_600_000;

/** @returns what becomes one project each */
export function laidOut(conversations: readonly Conversation[], layout: Layout): readonly Conversation[] {
  if (layout === 'alone') return conversations;
  const moved = aligned(conversations);
  return layout === 'aligned' ? moved : [merged(moved)];
}

function aligned(conversations: readonly Conversation[]): Conversation[] {
  const divided = conversations.map(({ turns }) => sessionsOf(turns));
  const longest = divided.reduce((most, one) => (one.length > most.length ? one : most), []);
  const begins = longest.map(([first]) => Date.parse(first?.saidAt ?? ''));
  return conversations.map((conversation, index) => {
    const offsetMs = (index * TURN_DISTANCE_MS) / conversations.length;
    const turns = (divided[index] ?? []).flatMap((session, number) =>
      session.map((turn, position) => ({
        ...turn,
        saidAt: new Date((begins[number] ?? 0) + position * TURN_DISTANCE_MS + offsetMs).toISOString(),
      })),
    );
    const askedAt = turns.at(-1)?.saidAt ?? '';
    return {
      ...conversation,
      turns,
      questions: conversation.questions.map((question) => ({ ...question, askedAt })),
    };
  });
}

function merged(conversations: readonly Conversation[]): Conversation {
  const named = (session: string, id: string): string => `${session}/${id}`;
  return {
    id: 'interleaved',
    turns: conversations
      .flatMap(({ id: session, turns }) =>
        turns.map((turn) => ({ ...turn, id: named(session, turn.id), session })),
      )
      .sort((a, b) => Date.parse(a.saidAt) - Date.parse(b.saidAt)),
    questions: conversations.flatMap(({ id: session, questions }) =>
      questions.map((question) => ({
        ...question,
        gold: question.gold.map((id) => named(session, id)),
        session,
      })),
    ),
  };
}

function sessionsOf(turns: readonly Turn[]): Turn[][] {
  const sessions: Turn[][] = [];
  let lastMs = -Infinity;
  for (const turn of turns) {
    const atMs = Date.parse(turn.saidAt);
    const session = sessions.at(-1);
    if (session && atMs - lastMs <= SESSION_GAP_MS) session.push(turn);
    else sessions.push([turn]);
    lastMs = atMs;
  }
  return sessions;
}
