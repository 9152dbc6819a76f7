import { isJson, type Json, listIn, textIn } from './provider-answer.js';

interface Found {
  readonly tag: RegExp;
  readonly feature: string;
  readonly value: string;
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

/** Commands that note what plain sentences say (names, likes, places, work), else the message itself. */
export function extract(prompt: string, schema: Json | undefined): Json {
  const message = /<HISTORY>(?<inside>[\s\S]*?)<\/HISTORY>/i.exec(prompt)?.groups?.['inside'] ?? prompt;
  const profile = /<OLD_PROFILE>(?<inside>[\s\S]*?)<\/OLD_PROFILE>/i.exec(prompt)?.groups?.['inside'] ?? '';
  const tags = tagsIn(schema);
  const news = featuresIn(message).filter(({ value }) => !profile.includes(JSON.stringify(value)));
  return {
    commands: news.map(({ tag, feature, value }) => ({
      command: 'add',
      feature,
      tag: tags.find((name) => tag.test(name)) ?? tags[0] ?? 'general',
      value,
    })),
  };
}

function featuresIn(message: string): Found[] {
  const found = PATTERNS.flatMap(({ pattern, feature, tag }) =>
    [...message.matchAll(pattern)].map(({ groups }) => ({
      tag,
      feature,
      value: textIn(groups?.['value']).trim(),
    })),
  );
  const whole = message.trim().replace(/\s+/g, ' ').slice(0, MAX_FALLBACK_LENGTH);
  return found.length > 0 || whole === '' ? found : [{ tag: /./, feature: 'mentioned', value: whole }];
}

/** The tags that the schema allows, wherever it lists them. */
function tagsIn(schema: unknown): string[] {
  if (!isJson(schema)) return [];
  const tag = isJson(schema['properties']) ? schema['properties']['tag'] : undefined;
  if (isJson(tag) && Array.isArray(tag['enum'])) return tag['enum'].map(textIn);
  return Object.values(schema).flatMap((part) => listIn(part).flatMap(tagsIn));
}

/** Keeps one of equal memories and drops the others. */
export function consolidate(prompt: string): Json {
  const kept = new Map<string, unknown>();
  for (const memory of memoriesIn(prompt)) {
    const { tag, feature, value, metadata } = memory;
    const key = JSON.stringify([tag, feature, textIn(value).toLowerCase().trim()]);
    if (!kept.has(key)) kept.set(key, isJson(metadata) ? metadata['id'] : undefined);
  }
  return { consolidated_memories: [], keep_memories: [...kept.values()].filter((id) => id !== undefined) };
}

function memoriesIn(prompt: string): Json[] {
  try {
    const parsed: unknown = JSON.parse(prompt.slice(prompt.indexOf('['), prompt.lastIndexOf(']') + 1));
    return listIn(parsed).filter(isJson);
  } catch {
    return [];
  }
}
