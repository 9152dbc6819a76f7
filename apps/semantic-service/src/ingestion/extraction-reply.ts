import { internal } from '@loci/contracts';

/** One command of a model's reply. */
export interface ExtractionCommand {
  readonly command: 'add' | 'update' | 'delete';
  readonly tag: string;
  readonly feature: string;
  /** Empty where nothing is to be noted. */
  readonly value: string;
  /** Places of the messages that it was drawn from, from 1; empty = the model did not say. */
  readonly messages: readonly number[];
}

const MAX_COMMANDS = 200;
const MAX_NAME_CHARS = 255;
const MAX_VALUE_CHARS = 8_000;

const text = (maxLength: number): object => ({ type: 'string', maxLength });

/** The reply that is asked for: api-contract §5.7 with `update`, an optional `value`, and what each command cites. */
export const EXTRACTION_SCHEMA: Readonly<Record<string, unknown>> = {
  type: 'object',
  properties: {
    commands: {
      type: 'array',
      maxItems: MAX_COMMANDS,
      items: {
        type: 'object',
        properties: {
          command: { type: 'string', enum: ['add', 'update', 'delete'] },
          tag: { ...text(MAX_NAME_CHARS), minLength: 1 },
          feature: { ...text(MAX_NAME_CHARS), minLength: 1 },
          value: text(MAX_VALUE_CHARS),
          messages: { type: 'array', items: { type: 'integer' } },
        },
        required: ['command', 'tag', 'feature'],
      },
    },
  },
  required: ['commands'],
};

/**
 * Reads a reply that fits the schema.
 * @throws AppError `model_reply_unusable` for a command without what it needs
 */
export function readExtraction(reply: unknown): ExtractionCommand[] {
  const { commands } = fields(reply);
  if (!Array.isArray(commands)) throw unusable('has no list of commands');
  return commands.map(readCommand);
}

function readCommand(given: unknown): ExtractionCommand {
  const { command, tag, feature, value, messages } = fields(given);
  if (command !== 'add' && command !== 'update' && command !== 'delete')
    throw unusable('has an unknown command');
  if (typeof tag !== 'string' || typeof feature !== 'string' || !tag.trim() || !feature.trim()) {
    throw unusable('has a command without tag or feature');
  }
  const noted = typeof value === 'string' ? storable(value) : '';
  if (command !== 'delete' && !noted) throw unusable('has a command without a value');
  return {
    command,
    tag: storable(tag),
    feature: storable(feature),
    value: noted,
    messages: Array.isArray(messages) ? messages.filter((place) => Number.isInteger(place)) : [],
  };
}

/** PostgreSQL has no text with NUL. */
const storable = (given: string): string => given.replaceAll('\0', '').trim();

const fields = (given: unknown): Readonly<Record<string, unknown>> =>
  typeof given === 'object' && given !== null ? { ...given } : {};

const unusable = (what: string): Error =>
  internal('model_reply_unusable', `The reply of the language model ${what}; it is asked again later.`);
