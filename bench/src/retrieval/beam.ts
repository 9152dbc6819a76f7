import {
  asList,
  asRecord,
  asText,
  type Conversation,
  type Question,
  type Turn,
  TURN_DISTANCE_MS,
} from './dataset.js';

/** Asks for what was never said: has no turn to find. */
const ABSTENTION = 'abstention';

/** Of sessions without a date of their own: a day after the one before. */
const DAY_MS = 86_400_000;

/** Where no session is dated. */
const FIRST_DAY_MS = Date.UTC(2024, 0, 1);

/**
 * Reads conversations in the form of BEAM (https://github.com/mohammadtavakoli78/BEAM, CC BY-SA 4.0), up to 1M tokens: a list of
 * rows with `conversation_id`, `chat` (sessions of turns) and `probing_questions` as an object or its JSON; the published
 * data has the latter as a literal of Python, which `json.dumps(ast.literal_eval(text))` turns into JSON. Gold are the messages
 * in `source_chat_ids`, at any depth; ids that several messages have name none.
 */
export function readBeam(json: unknown): Conversation[] {
  return asList(json, 'the file').map((row, index) => {
    const { conversation_id, chat, probing_questions } = asRecord(row, `row ${index}`);
    const turns = turnsOf(asList(chat, 'chat'));
    const ids = turns.map(({ id }) => id);
    const once = new Set(ids.filter((id) => ids.indexOf(id) === ids.lastIndexOf(id)));
    const askedAt = turns.at(-1)?.saidAt ?? '';
    const abilities =
      typeof probing_questions === 'string' ? (JSON.parse(probing_questions) as unknown) : probing_questions;
    const questions = Object.entries(asRecord(abilities, 'probing_questions')).flatMap(
      ([ability, entries]) =>
        ability === ABSTENTION
          ? []
          : asList(entries, ability).flatMap((entry) => questionOf(ability, entry, { once, askedAt })),
    );
    return { id: `beam-${String(conversation_id)}`, turns, questions };
  });
}

function turnsOf(sessions: readonly unknown[]): Turn[] {
  let begunMs = FIRST_DAY_MS - DAY_MS;
  return sessions.flatMap((session) => {
    const said = asList(session, 'session').map((turn) => asRecord(turn, 'turn'));
    const anchors = said.map(({ time_anchor }) => anchorMs(time_anchor)).filter((ms) => ms !== undefined);
    begunMs = anchors[0] ?? begunMs + DAY_MS;
    return said.flatMap(({ id, role, content }, index) => {
      const text = asText(content, 'content');
      if (text.trim() === '') return [];
      const speaker = role === 'assistant' ? 'assistant' : 'user';
      return [
        {
          id: String(id),
          speaker,
          role: speaker,
          text,
          saidAt: new Date(begunMs + index * TURN_DISTANCE_MS).toISOString(),
        },
      ] as const;
    });
  });
}

/** `March-15-2024`, or another form that a date is written in. */
function anchorMs(anchor: unknown): number | undefined {
  if (typeof anchor !== 'string') return undefined;
  const ms = Date.parse(`${anchor.replaceAll('-', ' ')} UTC`);
  return Number.isNaN(ms) ? undefined : ms;
}

function questionOf(
  category: string,
  entry: unknown,
  { once, askedAt }: { readonly once: ReadonlySet<string>; readonly askedAt: string },
): Question[] {
  const { question, source_chat_ids } = asRecord(entry, category);
  const gold = [...new Set(idsIn(source_chat_ids))].filter((id) => once.has(id));
  return gold.length === 0 ? [] : [{ text: asText(question, 'question'), category, gold, askedAt }];
}

/** Ids at any depth of lists and objects. */
function idsIn(value: unknown): string[] {
  if (typeof value === 'number') return [String(value)];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(idsIn);
}
