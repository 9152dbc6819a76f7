import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { asList, asText, type Conversation, type Question, type Turn, TURN_DISTANCE_MS } from './dataset.js';

/** Where the set is. */
export const ASSISTANT = fileURLToPath(new URL('../../data/assistant', import.meta.url));

/** When the questions are asked. */
const ASKED_AT = '2024-12-28T12:00:00.000Z';

const USER = 'marta';

const FILE = /^\d+-(.+)\.md$/;

/**
 * Reads the set of this project, `bench/data/assistant`: what one person talked about with an assistant in a year, a file for
 * each of the twenty conversations, the answers some 300 to 1,000 tokens long. A turn is called by its file and its place, from 1.
 * @param folder with the files and `questions.json`: kind, question, the turns that answer it
 */
export async function readAssistant(folder: string): Promise<Conversation[]> {
  const files = (await readdir(folder)).sort();
  const turns: Turn[] = [];
  for (const file of files) {
    const name = FILE.exec(file)?.[1];
    if (name !== undefined) turns.push(...turnsOf(name, await readFile(join(folder, file), 'utf8')));
  }
  const questions = JSON.parse(await readFile(join(folder, 'questions.json'), 'utf8')) as unknown;
  const ids = new Set(turns.map(({ id }) => id));
  return [
    {
      id: 'assistant',
      turns,
      questions: asList(questions, 'questions').map((entry) => questionOf(entry, ids)),
    },
  ];
}

function turnsOf(name: string, text: string): Turn[] {
  const begunAt = /^# (\S+)$/m.exec(text)?.[1] ?? '';
  const begunMs = Date.parse(begunAt);
  if (Number.isNaN(begunMs)) throw new Error(`${name} does not begin with a date.`);
  return [
    ...text.matchAll(/^## (user|assistant)\n+([\s\S]*?)(?=\n+## (?:user|assistant)\n|\n*$(?![\s\S]))/gm),
  ].map(([, role, content = ''], index) => ({
    id: `${name}:${index + 1}`,
    speaker: role === 'user' ? USER : 'assistant',
    role: role === 'user' ? 'user' : 'assistant',
    text: content,
    saidAt: new Date(begunMs + index * TURN_DISTANCE_MS).toISOString(),
  }));
}

function questionOf(entry: unknown, ids: ReadonlySet<string>): Question {
  const [category, text, answers] = asList(entry, 'question');
  const gold = asList(answers, 'turns of a question').map((id) => asText(id, 'turn'));
  const unknown = gold.filter((id) => !ids.has(id));
  if (gold.length === 0 || unknown.length > 0) throw new Error(`There is no turn ${unknown.join(', ')}.`);
  return { text: asText(text, 'question'), category: asText(category, 'kind'), gold, askedAt: ASKED_AT };
}
