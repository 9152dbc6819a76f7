import {
  asList,
  asRecord,
  asText,
  type Conversation,
  type Question,
  type Turn,
  TURN_DISTANCE_MS,
} from './dataset.js';

type Categories = Readonly<Record<number, string>>;

/** The categories that have an answer in the dialogue. */
const ANSWERABLE: Categories = { 1: 'multi-hop', 2: 'temporal', 3: 'open-domain', 4: 'single-hop' };

/** Asks what one participant said in the name of the other; its evidence is what the other said. */
export const ADVERSARIAL: Categories = { 5: 'adversarial' };

const SESSION_TIME = /^(\d{1,2}):(\d{2}) (am|pm) on (\d{1,2}) (\w+), (\d{4})$/;

/**
 * Reads conversations in the form of `locomo10.json` (https://github.com/snap-research/locomo, CC BY-NC 4.0). Questions
 * are taken as asked at the end of the conversation; evidence that names no turn is dropped, and with it questions that
 * have no other.
 * @param categories of the questions that are read
 */
export function readLocomo(json: unknown, categories = ANSWERABLE): Conversation[] {
  return asList(json, 'the file').map((sample, index) => {
    const { conversation, qa, sample_id } = asRecord(sample, `conversation ${index}`);
    const turns = turnsOf(asRecord(conversation, 'conversation'));
    const ids = new Set(turns.map(({ id }) => id));
    const askedAt = turns.at(-1)?.saidAt ?? '';
    const questions = asList(qa, 'qa').flatMap((entry) =>
      questionOf(asRecord(entry, 'qa'), { ids, askedAt, categories }),
    );
    return { id: typeof sample_id === 'string' ? sample_id : `locomo-${index}`, turns, questions };
  });
}

function turnsOf(conversation: Readonly<Record<string, unknown>>): Turn[] {
  const sessions = Object.keys(conversation)
    .map((key) => /^session_(\d+)$/.exec(key)?.[1])
    .filter((session) => session !== undefined)
    .sort((a, b) => Number(a) - Number(b));
  return sessions.flatMap((session) => {
    const begunMs = timeOf(asText(conversation[`session_${session}_date_time`], 'session date'));
    return asList(conversation[`session_${session}`], 'session').map((turn, index) =>
      turnOf(asRecord(turn, 'turn'), begunMs + index * TURN_DISTANCE_MS),
    );
  });
}

function turnOf(
  { dia_id, speaker, text, blip_caption }: Readonly<Record<string, unknown>>,
  ms: number,
): Turn {
  const said = asText(text, 'text');
  return {
    id: asText(dia_id, 'dia_id'),
    speaker: asText(speaker, 'speaker'),
    text: typeof blip_caption === 'string' ? `${said} [shares a photo: ${blip_caption}]` : said,
    saidAt: new Date(ms).toISOString(),
  };
}

interface Asked {
  /** Of the turns of the conversation. */
  readonly ids: ReadonlySet<string>;
  readonly askedAt: string;
  readonly categories: Categories;
}

function questionOf(
  { question, evidence, category }: Readonly<Record<string, unknown>>,
  { ids, askedAt, categories }: Asked,
): Question[] {
  const named = categories[Number(category)];
  const gold = goldOf(asList(evidence ?? [], 'evidence')).filter((id) => ids.has(id));
  if (named === undefined || gold.length === 0) return [];
  return [{ text: asText(question, 'question'), category: named, gold, askedAt }];
}

/** Some evidence is malformed: `D:11:26`, `D8:6; D9:17`, `D30:05`. */
const goldOf = (evidence: readonly unknown[]): string[] => [
  ...new Set(
    evidence.flatMap((entry) =>
      [...asText(entry, 'evidence').matchAll(/D:?(\d+):(\d+)/g)].map(
        ([, session, turn]) => `D${Number(session)}:${Number(turn)}`,
      ),
    ),
  ),
];

/** `1:56 pm on 8 May, 2023`, read as UTC. */
function timeOf(text: string): number {
  const [, hour, minute, half, day, month, year] = SESSION_TIME.exec(text) ?? [];
  const ms = Date.parse(`${String(day)} ${String(month)} ${String(year)} 00:00 UTC`);
  if (Number.isNaN(ms)) throw new Error(`The data file is not what was expected: "${text}" is no date.`);
  return ms + (((Number(hour) % 12) + (half === 'pm' ? 12 : 0)) * 60 + Number(minute)) * 60_000;
}
