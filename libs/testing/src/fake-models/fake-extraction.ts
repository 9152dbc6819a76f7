import { isJson, type Json, listIn, textIn } from './provider-answer.js';

interface Found {
  readonly tag: RegExp;
  readonly feature: string;
  readonly value: string;
  /** Numbers of the messages that say it. */
  readonly messages: readonly number[];
  /** Whom it is about, where messages say whose they are. */
  readonly subject?: string;
}

interface Message {
  readonly number: number;
  readonly user?: string;
  readonly text: string;
}

const NAME = /\b(?:my name is|i am called|call me)\s+(?<value>\p{Lu}[\p{L}'-]*(?:\s\p{Lu}[\p{L}'-]*)*)/giu;
const TASTE = /\b(?:likes?|loves?|enjoys?|prefers?)\s+(?<value>[^.,;!?\n]{2,60})/giu;
const DISLIKE = /\b(?:hates?|dislikes?|can't stand)\s+(?<value>[^.,;!?\n]{2,60})/giu;
const HOME = /\b(?:lives? in|moved to|is from|am from)\s+(?<value>[^.,;!?\n]{2,60})/giu;
const WORK = /\b(?:works? (?:as|at|for))\s+(?<value>[^.,;!?\n]{2,60})/giu;

const PATTERNS: readonly { readonly pattern: RegExp; readonly feature: string; readonly tag: RegExp }[] = [
  { pattern: NAME, feature: 'name', tag: /name|demograph|identit|profile|personal/i },
  { pattern: TASTE, feature: 'likes', tag: /preference|interest|hobb|like|taste/i },
  { pattern: DISLIKE, feature: 'dislikes', tag: /preference|interest|dislike|taste/i },
  { pattern: HOME, feature: 'location', tag: /location|home|geograph|demograph/i },
  { pattern: WORK, feature: 'work', tag: /work|job|career|employ|profession/i },
];

const MAX_FALLBACK_LENGTH = 120;

/** Commands that note what plain sentences say (names, likes, places, work), else the messages themselves. */
export function extract(prompt: string, schema: Json | undefined): Json {
  const history = /<HISTORY>(?<inside>[\s\S]*?)<\/HISTORY>/i.exec(prompt)?.groups?.['inside'] ?? prompt;
  const profile = /<OLD_PROFILE>(?<inside>[\s\S]*?)<\/OLD_PROFILE>/i.exec(prompt)?.groups?.['inside'] ?? '';
  const tags = namesIn(schema, 'tag');
  const categories = namesIn(schema, 'category');
  const found = featuresIn(messagesIn(history));
  const commandsOf = (category: string | undefined): Json[] => {
    const known = category === undefined ? profile : JSON.stringify(parsedLine(profile.trim())?.[category]);
    return found
      .filter(({ subject, value }) => !profileOf(known, subject).includes(JSON.stringify(value)))
      .map(({ tag, feature, value, messages, subject }) => ({
        ...(category !== undefined && { category }),
        command: 'add',
        feature,
        tag: tags.find((name) => tag.test(name)) ?? tags[0] ?? 'general',
        value,
        messages,
        ...(subject !== undefined && { subject }),
      }));
  };
  return { commands: categories.length > 0 ? categories.flatMap(commandsOf) : commandsOf(undefined) };
}

/** What is known of the subject; all that is known where it does not say of whom. */
function profileOf(profile: string, subject: string | undefined): string {
  const parsed = parsedLine(profile.trim());
  return subject === undefined || !parsed ? profile : JSON.stringify(parsed[subject] ?? {});
}

/** One message for each line of JSON that numbers one; a history of another kind is message 1. */
function messagesIn(history: string): Message[] {
  const messages = history.split('\n').flatMap((line) => {
    const parsed = parsedLine(line);
    return typeof parsed?.['message'] === 'number'
      ? [{ number: parsed['message'], text: textIn(parsed['text']), ...userIn(parsed) }]
      : [];
  });
  return messages.length > 0 ? messages : [{ number: 1, text: history }];
}

const userIn = ({ user }: Json): { user?: string } => (typeof user === 'string' ? { user } : {});

function parsedLine(line: string): Json | undefined {
  try {
    const parsed: unknown = JSON.parse(line);
    return isJson(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function featuresIn(messages: readonly Message[]): Found[] {
  const found = messages.flatMap(({ number, text, user }) =>
    PATTERNS.flatMap(({ pattern, feature, tag }) =>
      [...text.matchAll(pattern)].map(({ groups }) => ({
        tag,
        feature,
        value: textIn(groups?.['value']).trim(),
        messages: [number],
        ...(user !== undefined && { subject: user }),
      })),
    ),
  );
  if (found.length > 0) return found;
  const users = new Set(messages.map(({ user }) => user));
  return [...users].flatMap((user) => {
    const own = messages.filter((message) => message.user === user);
    const whole = own.map(({ text }) => text.trim().replace(/\s+/g, ' ')).join(' ');
    if (whole === '') return [];
    const value = whole.slice(0, MAX_FALLBACK_LENGTH);
    const noted = { tag: /./, feature: 'mentioned', value, messages: own.map(({ number }) => number) };
    return [user === undefined ? noted : { ...noted, subject: user }];
  });
}

/** The tags or categories that the schema of a reply allows, wherever it lists them. */
export function namesIn(schema: unknown, property: 'tag' | 'category'): string[] {
  if (!isJson(schema)) return [];
  const found = isJson(schema['properties']) ? schema['properties'][property] : undefined;
  if (isJson(found) && Array.isArray(found['enum'])) return found['enum'].map(textIn);
  return Object.values(schema).flatMap((part) => listIn(part).flatMap((one) => namesIn(one, property)));
}

/** Merges memories that are equal but for their tags, and keeps the others. */
export function consolidate(prompt: string): Json {
  const equal = new Map<string, { readonly memory: Json; readonly ids: string[] }>();
  for (const memory of memoriesIn(prompt)) {
    const { category, feature, value, metadata } = memory;
    const key = JSON.stringify([category ?? null, feature, textIn(value).toLowerCase().trim()]);
    const group = equal.get(key) ?? { memory, ids: [] };
    equal.set(key, group);
    if (isJson(metadata)) group.ids.push(textIn(metadata['id']));
  }
  const groups = [...equal.values()];
  return {
    consolidated_memories: groups.flatMap(({ memory: { tag, feature, value }, ids }) =>
      ids.length > 1 ? [{ tag, feature, value, replaces: ids }] : [],
    ),
    keep_memories: groups.flatMap(({ ids }) => (ids.length === 1 ? ids : [])),
  };
}

function memoriesIn(prompt: string): Json[] {
  try {
    const parsed: unknown = JSON.parse(prompt.slice(prompt.indexOf('['), prompt.lastIndexOf(']') + 1));
    return listIn(parsed).filter(isJson);
  } catch {
    return [];
  }
}
