import { behind, type Dated, datedFromIso, EXTRACTION_COMMANDS, unavailable } from '@loci/contracts';
import { type StatedValidity } from '../../features/validity.js';
import { type Week, weekFromIso } from './iso-week.js';
import { replyText, replyValue } from './reply-text.js';

/** One command of a model's reply. */
export interface ExtractionCommand {
  readonly command: (typeof EXTRACTION_COMMANDS)[number];
  /** Whom it is about, as the reply says it, in any length; absent when it does not say. */
  readonly subject?: string | undefined;
  readonly tag: string;
  readonly feature: string;
  /** Empty where nothing is to be noted. */
  readonly value: string;
  /** Numbers of the messages that it follows from, from 1, ascending; at least one. */
  readonly messages: readonly number[];
  /** When it holds; absent where the messages do not say. */
  readonly validity?: StatedValidity | undefined;
  /** Whether its name has one value at a time; absent where the reply does not say. */
  readonly isSingleValued?: boolean | undefined;
}

/** A command that is not carried out, and why. */
export interface RefusedCommand {
  /** Absent when the model asks for none that there is. */
  readonly command?: ExtractionCommand['command'] | undefined;
  readonly tag: string;
  readonly feature: string;
  readonly reason: string;
}

export interface Extraction {
  readonly commands: readonly ExtractionCommand[];
  readonly refused: readonly RefusedCommand[];
}

/** Of one reply. One with so many is full: it may have left some out. */
export const MAX_COMMANDS = 200;
const MAX_NAME_CHARS = 255;
const MAX_VALUE_CHARS = 8_000;
const MAX_DATE_CHARS = 40;
/** Of an unknown command, in the reason for which it is refused. */
const MAX_COMMAND_CHARS = 40;

const text = (maxLength: number): object => ({ type: 'string', maxLength });

export interface ExtractionForm {
  readonly hasSubjects?: boolean;
  /** Of the longest id of a user in the batch. */
  readonly maxSubjectChars?: number | undefined;
  /** Names of those that the reply is about: each command names one where there are several. */
  readonly categories?: readonly string[];
}

/**
 * The reply that is asked for about a batch of so many messages: api-contract §5.7 with `update`, an optional `value`, when
 * it holds, what each command cites, its category where there are several, and whom it is about where facts have subjects.
 */
export const extractionSchema = (
  batchSize: number,
  { hasSubjects = false, maxSubjectChars = 0, categories = [] }: ExtractionForm = {},
): Readonly<Record<string, unknown>> => ({
  type: 'object',
  properties: {
    commands: {
      type: 'array',
      maxItems: MAX_COMMANDS,
      items: {
        type: 'object',
        properties: {
          ...(categories.length > 1 && { category: { type: 'string', enum: categories } }),
          command: { type: 'string', enum: EXTRACTION_COMMANDS },
          ...(hasSubjects && { subject: text(Math.max(MAX_NAME_CHARS, maxSubjectChars)) }),
          tag: { ...text(MAX_NAME_CHARS), minLength: 1 },
          feature: { ...text(MAX_NAME_CHARS), minLength: 1 },
          value: text(MAX_VALUE_CHARS),
          valid_from: text(MAX_DATE_CHARS),
          valid_until: text(MAX_DATE_CHARS),
          single: { type: 'boolean' },
          messages: {
            type: 'array',
            minItems: 1,
            items: { type: 'integer', minimum: 1, maximum: batchSize },
          },
        },
        required: [...(categories.length > 1 ? ['category'] : []), 'command', 'tag', 'feature', 'messages'],
      },
    },
  },
  required: ['commands'],
});

/** What a reply has to fit at least: each command is judged by itself then. */
export const EXTRACTION_FORM: Readonly<Record<string, unknown>> = {
  type: 'object',
  properties: { commands: { type: 'array', items: { type: 'object' } } },
  required: ['commands'],
};

/**
 * Reads a reply that has the form. A command that is none of the three, names no message of the batch, says nothing, or says
 * more than fits into a feature, is refused, and so are those beyond {@link MAX_COMMANDS}; the others count.
 * @param batchSize messages that the model was shown
 * @throws AppError `model_reply_unusable` for a reply without a list of commands
 */
export function readExtraction(reply: unknown, batchSize: number): Extraction {
  const given = commandsIn(reply);
  const read = given.slice(0, MAX_COMMANDS).map((one) => readCommand(one, batchSize));
  return {
    commands: read.filter((one): one is ExtractionCommand => !('reason' in one)),
    refused: [
      ...read.filter((one): one is RefusedCommand => 'reason' in one),
      ...leftOut(given.slice(MAX_COMMANDS)),
    ],
  };
}

const NO_CATEGORY = 'It names no category of its call.';

/**
 * Reads a reply about several categories, each by itself. A command that names none of them is refused in the first.
 * @throws AppError `model_reply_unusable` as {@link readExtraction}
 */
export function readExtractions(
  reply: unknown,
  batchSize: number,
  categories: readonly string[],
): ReadonlyMap<string, Extraction> {
  const [first] = categories;
  if (first === undefined || categories.length === 1)
    return new Map(categories.map((name) => [name, readExtraction(reply, batchSize)]));
  const named = commandsIn(reply).map((given) => ({ given, category: fields(given)['category'] }));
  const of = (name: string): unknown[] =>
    named.flatMap(({ given, category }) => (category === name ? [given] : []));
  const extractions = new Map(
    categories.map((name) => [name, readExtraction({ commands: of(name) }, batchSize)]),
  );
  const stray = named.filter(({ category }) => !categories.some((name) => name === category));
  const read = readExtraction({ commands: stray.map(({ given }) => given) }, batchSize);
  const refused = [...read.commands, ...read.refused].map((one) => refusal(one, NO_CATEGORY));
  const ofFirst = extractions.get(first);
  if (ofFirst) extractions.set(first, { ...ofFirst, refused: [...ofFirst.refused, ...refused] });
  return extractions;
}

/** Whether a reply that has the form has more commands than one may have: asked again, the model would write as many. */
export const hasTooManyCommands = (reply: unknown): boolean => commandsIn(reply).length > MAX_COMMANDS;

/** @throws AppError `model_reply_unusable` for no list */
function commandsIn(reply: unknown): readonly unknown[] {
  const { commands } = fields(reply);
  if (!Array.isArray(commands)) throw unusable('has no list of commands');
  return commands;
}

/** One for all of them, however many a model writes. */
function leftOut([first, ...others]: readonly unknown[]): RefusedCommand[] {
  if (first === undefined) return [];
  const { command, tag, feature } = fields(first);
  const reason = `A reply has ${MAX_COMMANDS} commands at most: this one and ${others.length} after it are left out.`;
  return [refusal({ command: kindOf(command), tag: replyText(tag), feature: replyText(feature) }, reason)];
}

function readCommand(given: unknown, batchSize: number): ExtractionCommand | RefusedCommand {
  const {
    command,
    subject: about,
    tag,
    feature,
    value,
    messages,
    valid_from,
    valid_until,
    single,
  } = fields(given);
  const noted = replyValue(value);
  const kind = kindOf(command);
  const named = {
    ...(typeof about === 'string' && { subject: about }),
    tag: replyText(tag),
    feature: replyText(feature),
  };
  if (!kind) return refusal(named, unknownCommand(command));
  const known = { ...named, command: kind };
  const cited = numbersIn(messages, batchSize);
  const dates = readDates(valid_from, valid_until);
  const reason = problemOf(known, noted, cited) ?? dates.reason;
  if (reason !== undefined) return refusal(known, reason);
  const cardinality = typeof single === 'boolean' && kind !== 'delete' ? { isSingleValued: single } : {};
  return { ...known, value: noted, messages: cited, ...cardinality, ...stated(dates.validity) };
}

const kindOf = (command: unknown): ExtractionCommand['command'] | undefined =>
  EXTRACTION_COMMANDS.find((known) => known === command);

function unknownCommand(command: unknown): string {
  const shown = typeof command === 'string' ? replyText(command.slice(0, MAX_COMMAND_CHARS)) : '';
  return shown
    ? `It asks for "${shown}", which is none of add, update and delete.`
    : 'It has no command: add, update or delete.';
}

const refusal = (
  { command, tag, feature }: Pick<RefusedCommand, 'command' | 'tag' | 'feature'>,
  reason: string,
): RefusedCommand => ({
  ...(command && { command }),
  tag: storableName(tag),
  feature: storableName(feature),
  reason,
});

function problemOf(
  { command, tag, feature }: Pick<ExtractionCommand, 'command' | 'tag' | 'feature'>,
  value: string,
  messages: readonly number[],
): string | undefined {
  if (!tag || !feature) return 'It has no tag or no feature.';
  if (command !== 'delete' && !value) return 'It has no value.';
  if (messages.length === 0) return 'It names no message of its batch.';
  if (tag.length > MAX_NAME_CHARS || feature.length > MAX_NAME_CHARS)
    return 'Its tag or feature is too long.';
  return value.length > MAX_VALUE_CHARS ? 'Its value is too long.' : undefined;
}

/** What is said to hold further ahead is a mistake. */
const MAX_YEARS_AHEAD = 100;

/**
 * Empty texts say nothing: a model that has to fill every field writes them. "Until" a day means its end. A week is written as
 * its Monday or its Sunday, as models are told, or as ISO 8601 has it.
 */
function readDates(
  givenFrom: unknown,
  givenUntil: unknown,
): { readonly validity: StatedValidity; readonly reason?: string } {
  const validFrom = dateIn(givenFrom, 'first');
  const lastMoment = dateIn(givenUntil, 'last');
  if (validFrom === 'unreadable' || lastMoment === 'unreadable')
    return { validity: {}, reason: 'When it holds is no date like 2024, 2024-03 or 2024-03-15.' };
  const validUntil = lastMoment && behind(lastMoment);
  const latest = `${new Date().getUTCFullYear() + MAX_YEARS_AHEAD}`;
  if ([validFrom, validUntil].some((date) => date !== undefined && date.at > latest))
    return { validity: {}, reason: 'When it holds is too far in the future.' };
  if (validFrom && validUntil && validUntil.at <= validFrom.at)
    return { validity: {}, reason: 'It would end before it begins.' };
  return { validity: { ...(validFrom && { validFrom }), ...(validUntil && { validUntil }) } };
}

function dateIn(given: unknown, ofWeek: keyof Week): Dated | 'unreadable' | undefined {
  if (given === undefined || given === null) return undefined;
  if (typeof given !== 'string') return 'unreadable';
  const text = given.trim();
  return text === '' || text === 'null'
    ? undefined
    : (datedFromIso(text) ?? weekFromIso(text)?.[ofWeek] ?? 'unreadable');
}

const stated = (validity: StatedValidity): Pick<ExtractionCommand, 'validity'> =>
  Object.keys(validity).length === 0 ? {} : { validity };

const numbersIn = (given: unknown, batchSize: number): number[] =>
  Array.from({ length: batchSize }, (_, index) => index + 1).filter(
    (number) => Array.isArray(given) && given.includes(number),
  );

/** The beginning of a name that may have any length. */
export const storableName = (given: string): string => replyText(given.slice(0, MAX_NAME_CHARS));

const fields = (given: unknown): Readonly<Record<string, unknown>> =>
  typeof given === 'object' && given !== null ? { ...given } : {};

const unusable = (what: string): Error =>
  unavailable('model_reply_unusable', `The reply of the language model ${what}.`);
