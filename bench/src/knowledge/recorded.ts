import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Dialogue, type RecordedReply } from './dialogue.js';
import { type Api, type projectOf } from './learn.js';
import { keyOf, textsIn } from './replay.js';

interface Call {
  readonly id: string;
  readonly kind: string;
}

interface CallTexts {
  readonly prompt: readonly { readonly content: string }[] | null;
  readonly reply: string | null;
}

/** A file of replies: one for each part of the dialogue. */
interface Recording {
  readonly replies: readonly (RecordedReply | string)[];
}

const fileOf = (folder: string, { id }: Dialogue): string => join(folder, `${id}.json`);

/** Keeps what the model replied to each part of a dialogue, as its calls tell it. @throws Error where a call has no texts */
export async function record(
  api: Api,
  folder: string,
  dialogue: Dialogue,
  { org_id, project_id }: ReturnType<typeof projectOf>,
): Promise<void> {
  const project = `org_id=${org_id}&project_id=${project_id}`;
  const calls = (await api.send('GET', `/ingestion/calls?${project}&page_size=100`)) as readonly Call[];
  const replies = new Map<string, string>();
  for (const { id } of calls.filter(({ kind }) => kind === 'extraction').reverse()) {
    const { prompt, reply } = (await api.send('GET', `/ingestion/calls/${id}?${project}`)) as CallTexts;
    const text = prompt?.map(({ content }) => content).join('\n');
    if (text !== undefined && reply !== null) replies.set(keyOf(textsIn(text)), reply);
  }
  const ofParts = dialogue.parts.map((part, index) => {
    const reply = replies.get(keyOf(part.map(({ text }) => text)));
    if (reply === undefined) throw new Error(`No reply is kept for part ${index + 1} of ${dialogue.id}`);
    return asReply(reply);
  });
  await mkdir(folder, { recursive: true });
  await writeFile(fileOf(folder, dialogue), `${JSON.stringify({ replies: ofParts }, undefined, 2)}\n`);
}

/** The dialogue with the replies that were kept of it. @throws Error when none were */
export function withRecorded(folder: string, dialogue: Dialogue): Dialogue {
  const path = fileOf(folder, dialogue);
  if (!existsSync(path)) throw new Error(`${path} is not there: record ${dialogue.id} first`);
  const { replies } = JSON.parse(readFileSync(path, 'utf8')) as Recording;
  return { ...dialogue, replies };
}

/** What is no JSON is kept as the text that it is. */
function asReply(text: string): RecordedReply | string {
  try {
    return JSON.parse(text) as RecordedReply;
  } catch {
    return text;
  }
}
