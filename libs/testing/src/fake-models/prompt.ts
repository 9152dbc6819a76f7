import { type Prompt } from './fake-thought.js';
import { isJson, type Json, listIn, textIn } from './provider-answer.js';

/** What a model is asked by messages of roles, whose contents are texts or lists of parts with one. */
export function promptOf(items: readonly unknown[], schema: Json | undefined): Prompt {
  const messages = items.map((item) => (isJson(item) ? item : { role: 'user', content: item }));
  const users = messages.filter(({ role }) => role === 'user');
  const systems = messages.filter(({ role }) => role === 'system' || role === 'developer');
  return {
    system: systems.map(({ content }) => contentText(content)).join('\n'),
    user: contentText(users.at(-1)?.['content']),
    first: contentText(users.at(0)?.['content']),
    schema,
  };
}

const contentText = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : listIn(content)
        .map((part) => (isJson(part) ? textIn(part['text']) : textIn(part)))
        .join('\n');
