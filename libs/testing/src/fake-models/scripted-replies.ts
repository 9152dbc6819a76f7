import { type Prompt } from './fake-thought.js';

/** Part of the prompt (system or user), or a look at it. */
export type PromptMatcher = string | RegExp | ((prompt: Prompt) => boolean);

interface ScriptedReply {
  readonly fits: (prompt: Prompt) => boolean;
  readonly reply: (prompt: Prompt) => string;
  left: number;
}

/** Replies that a test dictates; the last one that fits wins. */
export class ScriptedReplies {
  private entries: ScriptedReply[] = [];

  add(matcher: PromptMatcher, value: unknown, times = Infinity): void {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    this.addThinking(matcher, () => text, times);
  }

  addThinking(matcher: PromptMatcher, reply: (prompt: Prompt) => string, times = Infinity): void {
    this.entries.unshift({ fits: matcherOf(matcher), reply, left: times });
  }

  clear(): void {
    this.entries = [];
  }

  find(prompt: Prompt): string | undefined {
    const found = this.entries.find(({ fits }) => fits(prompt));
    if (!found) return undefined;
    found.left -= 1;
    if (found.left <= 0) this.entries = this.entries.filter((entry) => entry !== found);
    return found.reply(prompt);
  }
}

function matcherOf(matcher: PromptMatcher): (prompt: Prompt) => boolean {
  if (typeof matcher === 'function') return matcher;
  return ({ system, user }) => {
    const text = `${system}\n${user}`;
    return typeof matcher === 'string' ? text.includes(matcher) : matcher.test(text);
  };
}
