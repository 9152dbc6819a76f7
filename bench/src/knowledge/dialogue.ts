import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a person or an assistant says. */
export interface DialogueMessage {
  readonly from: string;
  /** Default `user`. */
  readonly role?: 'user' | 'assistant';
  readonly to?: string;
  /** When it is said, as ISO 8601. */
  readonly at: string;
  readonly text: string;
}

/** What a reader would note. */
export interface GoldFact {
  readonly subject: string;
  /** A feature that has all of these words, in any case, says it. */
  readonly says: readonly string[];
  /** Numbers of the messages that say it, from 1 through all parts. */
  readonly messages: readonly number[];
  /** The beginning of the date, as exactly as the messages tell: `2024-03`. */
  readonly valid_from?: string;
  /** As `valid_from`; the moment from which it holds no more. */
  readonly valid_until?: string;
  /** A word of what it ends: a feature with it is to be kept as one that ended. */
  readonly replaces?: string;
}

/** A reply of a model, as the extraction schema asks for it. */
export interface RecordedReply {
  readonly commands: readonly (Readonly<Record<string, unknown>> & {
    readonly messages: readonly number[];
  })[];
}

export interface Dialogue {
  readonly id: string;
  readonly kind: string;
  /** Each is learned from before the next is said. */
  readonly parts: readonly (readonly DialogueMessage[])[];
  readonly gold: readonly GoldFact[];
  /** What no feature that holds may say. */
  readonly absent: readonly string[];
  /** One for each part; a text where the model gave no JSON. */
  readonly replies: readonly (RecordedReply | string)[];
}

interface DialogueFile {
  readonly kind: string;
  readonly dialogues: readonly Omit<Dialogue, 'kind'>[];
}

/** Where the dialogues are, from the root of the repository. */
export const DIALOGUES_FOLDER = 'bench/data/knowledge';

export function readDialogues(folder = DIALOGUES_FOLDER): Dialogue[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return files.sort().flatMap((name) => {
    const { kind, dialogues } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as DialogueFile;
    return dialogues.map((dialogue) => ({ ...dialogue, kind }));
  });
}
