import { FakeModels } from '@loci/testing';
import { type Dialogue } from './dialogue.js';

export const REPLAY = 'replay';

/** A stand-in that replies what was recorded for the messages that it is asked about. */
export interface Replay {
  readonly models: FakeModels;
  /** Messages for which no reply was recorded. */
  readonly unknown: string[];
}

export async function startReplay(dialogues: readonly Dialogue[]): Promise<Replay> {
  const models = await FakeModels.start();
  const replies = new Map(
    dialogues.flatMap(({ parts, replies: recorded }) =>
      parts.map((part, index) => [keyOf(part.map(({ text }) => text)), recorded[index]] as const),
    ),
  );
  const unknown: string[] = [];
  models.replyBy(/"commands"/, ({ first }) => {
    const texts = textsIn(first);
    const reply = replies.get(keyOf(texts));
    if (!reply) unknown.push(texts.join(' / '));
    return typeof reply === 'string' ? reply : JSON.stringify(reply ?? { commands: [] });
  });
  return { models, unknown };
}

/** By which the reply to these messages is found. */
export const keyOf = (texts: readonly string[]): string => JSON.stringify(texts);

/** The messages that a prompt asks about. */
export function textsIn(prompt: string): string[] {
  const history = /<HISTORY>\n(?<lines>[\s\S]*?)\n<\/HISTORY>/.exec(prompt)?.groups?.['lines'] ?? '';
  return history.split('\n').map((line) => (JSON.parse(line) as { readonly text: string }).text);
}
