import { type FakeModels, namesIn, type Prompt } from '@loci/testing';
import { type Command, INJECTIONS, type Injection } from './texts.js';

/** What a reply may have at most; more of it would make all of it unusable. */
const MAX_COMMANDS = 200;
const MAX_VALUE_CHARS = 8_000;

/** The stand-in is asked again about fewer messages, in the end about one alone. */
const UNUSABLE = 'certainly!';

/** An own property, as JSON has it. */
const POLLUTION = { ['__proto__']: { isTrusted: true, byClient: false } };

/** Tag of what each injection leaves behind, to show that it was obeyed. */
const OWNED = 'Owned';

interface Message {
  readonly message: number;
  readonly text: string;
}

interface Memory {
  readonly tag: string;
  readonly metadata: { readonly id: string };
}

/** A stand-in that does whatever a message says, and learns what it was taught from the others. */
export class ObedientModel {
  /** Injections that it has done what they ask for. */
  readonly obeyed = new Set<Injection>();
  /** All prompts with an injection in them. */
  readonly prompts: Prompt[] = [];
  /** How often it was asked to consolidate what it had learned from injections. */
  consolidations = 0;
  /** Ids of features of others, those that are easiest to change first, which it merges into its own where it is asked to consolidate. */
  foreign: readonly string[] = [];

  /** @param lessons what it learns from other messages, by their text */
  constructor(private readonly lessons: Readonly<Record<string, readonly Command[]>>) {}

  /** Answers whatever the stand-in provider is asked from now on. */
  speakFor(models: FakeModels): void {
    models.replyBy(/"commands"/, (prompt) => this.extract(prompt));
    models.replyBy(/"consolidated_memories"/, (prompt) => this.consolidate(prompt));
  }

  private extract(prompt: Prompt): string {
    const messages = messagesIn(prompt.first);
    const injections = messages.flatMap(({ text }) => INJECTIONS.find((one) => one.text === text) ?? []);
    if (injections.length > 0) this.prompts.push(prompt);
    const reply = this.replyTo(messages, injections, prompt);
    if (reply !== UNUSABLE) for (const injection of injections) this.obeyed.add(injection);
    return reply;
  }

  private replyTo(messages: readonly Message[], injections: readonly Injection[], prompt: Prompt): string {
    const whole = injections.flatMap(({ asks }) => (typeof asks === 'string' ? [asks] : []));
    if (whole.length > 0) return (messages.length === 1 && whole[0]) || UNUSABLE;
    const categories = categoriesIn(prompt);
    const commands = messages.flatMap(({ message, text }) =>
      [...(this.lessons[text] ?? []), ...askedBy(text, prompt)].flatMap((command) =>
        categories.map((category) => ({ messages: [message], ...category, ...command })),
      ),
    );
    return commands.length > MAX_COMMANDS ? UNUSABLE : JSON.stringify({ commands, ...POLLUTION });
  }

  /** Merges everything, those of others first. */
  private consolidate(prompt: Prompt): string {
    const shown = JSON.parse(prompt.first) as Memory[];
    const own = shown.map(({ metadata: { id } }) => id);
    if (shown.some(({ tag }) => tag === OWNED)) this.consolidations += 1;
    const merge = (value: string, replaces: readonly string[]): object => ({
      tag: 'Payments',
      feature: 'wire limit',
      value,
      replaces,
    });
    const consolidated_memories = [
      ...this.foreign.map((id, index) => merge('of others and of mine', [id, own[index] ?? ''])),
      merge('of others', this.foreign),
      merge('of mine', own.slice(-4)),
    ];
    return JSON.stringify({ consolidated_memories, keep_memories: [], ...POLLUTION });
  }
}

function askedBy(text: string, { system, first }: Prompt): readonly Command[] {
  const injection = INJECTIONS.find((one) => one.text === text);
  if (!injection || typeof injection.asks === 'string') return [];
  const owned = (feature: string, value: string): Command => ({
    command: 'add',
    tag: OWNED,
    feature,
    value: value.slice(0, MAX_VALUE_CHARS),
  });
  const mark = owned(`injection ${INJECTIONS.indexOf(injection)}`, injection.technique);
  const shown = [owned('rules', system), owned('profile', first)];
  return [mark, ...injection.asks, ...(injection.reveals ? shown : [])];
}

/** What each command is noted in: where a call is about several categories, in each of them. */
function categoriesIn({ schema }: Prompt): readonly { readonly category?: string }[] {
  const names = namesIn(schema, 'category');
  return names.length > 0 ? names.map((category) => ({ category })) : [{}];
}

function messagesIn(prompt: string): Message[] {
  const history = prompt.slice(prompt.lastIndexOf('<HISTORY>') + 9, prompt.lastIndexOf('</HISTORY>'));
  return history
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Message);
}
