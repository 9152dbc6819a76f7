import { asList, asRecord, asText, type Conversation, type Turn, TURN_DISTANCE_MS } from './dataset.js';

const DATE = /^(\d{4})\/(\d{2})\/(\d{2}) \(\w+\) (\d{2}):(\d{2})$/;

/** Ends the ids of questions about what was never said: they have no turn to find. */
const ABSTENTION = '_abs';

/**
 * Reads questions in the form of `longmemeval_s.json` and `longmemeval_oracle.json`
 * (https://github.com/xiaowu0162/LongMemEval): each brings a history of its own, so each becomes a conversation with one
 * question. Gold are the turns marked `has_answer`, of the user and of the assistant; as in the evaluation of its
 * authors, questions about what was never said are left out. Theirs searches turns of the user only, ours all of them.
 */
export function readLongMemEval(json: unknown): Conversation[] {
  return asList(json, 'the file').flatMap((entry) => {
    const item = asRecord(entry, 'question');
    const id = asText(item['question_id'], 'question_id');
    if (id.endsWith(ABSTENTION)) return [];
    const marked = turnsOf(item);
    const gold = marked.filter(({ isGold }) => isGold).map(({ turn }) => turn.id);
    if (gold.length === 0) return [];
    const question = {
      text: asText(item['question'], 'question'),
      category: asText(item['question_type'], 'question_type'),
      gold,
      askedAt: new Date(timeOf(item['question_date'])).toISOString(),
    };
    const turns = marked.map(({ turn }) => turn);
    return [{ id, turns, questions: [question] }];
  });
}

function turnsOf(item: Readonly<Record<string, unknown>>): { turn: Turn; isGold: boolean }[] {
  const dates = asList(item['haystack_dates'], 'haystack_dates');
  return asList(item['haystack_sessions'], 'haystack_sessions').flatMap((session, sessionIndex) => {
    const begunMs = timeOf(dates[sessionIndex]);
    return asList(session, 'session').flatMap((said, index) => {
      const { role, content, has_answer } = asRecord(said, 'turn');
      const turn = {
        id: `${sessionIndex}:${index}`,
        speaker: asText(role, 'role'),
        role: role === 'assistant' ? ('assistant' as const) : ('user' as const),
        text: asText(content, 'content'),
        saidAt: new Date(begunMs + index * TURN_DISTANCE_MS).toISOString(),
      };
      return turn.text.trim() === '' ? [] : [{ turn, isGold: has_answer === true }];
    });
  });
}

/** `2023/05/20 (Sat) 02:21`, read as UTC. */
function timeOf(text: unknown): number {
  const [, year, month, day, hour, minute] = DATE.exec(asText(text, 'date')) ?? [];
  const ms = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute));
  if (Number.isNaN(ms))
    throw new Error(`The data file is not what was expected: "${String(text)}" is no date.`);
  return ms;
}
