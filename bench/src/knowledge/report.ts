import { type ScoredDialogue, type Scores, SCORES, type Share, totalOf } from './score.js';

/** What a run found, as it is kept. */
export interface KnowledgeResults {
  /** Who replied. */
  readonly model: string;
  /** Of the prompt that the model was given. */
  readonly promptVersion: number;
  readonly dialogues: readonly ScoredDialogue[];
}

const inPercent = ({ right, of }: Share): string =>
  of === 0 ? '-' : `${((100 * right) / of).toFixed(0)} % (${right} of ${of})`;

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const valuesOf = (scores: Scores): string[] => SCORES.map((name) => inPercent(scores[name]));

/** The scores of each kind of dialogue and of all, and every mistake. */
export function reportOf({ model, promptVersion, dialogues }: KnowledgeResults): string {
  const kinds = [...new Set(dialogues.map(({ kind }) => kind))];
  const rows = kinds.map((kind) =>
    row([kind, ...valuesOf(totalOf(dialogues.filter((one) => one.kind === kind)))]),
  );
  const mistakes = dialogues.flatMap(({ id, mistakes: made }) => made.map((mistake) => `${id}: ${mistake}`));
  return [
    `${dialogues.length} dialogues, ${model}, extraction prompt ${promptVersion}`,
    '',
    row(['dialogues', ...SCORES]),
    row(['---', ...SCORES.map(() => '---')]),
    ...rows,
    row(['all', ...valuesOf(totalOf(dialogues))]),
    '',
    ...(mistakes.length > 0 ? mistakes : ['No mistakes.']),
  ].join('\n');
}

/** What differs from an earlier run: each score, and the mistakes that came or went. */
export function differenceOf(before: KnowledgeResults, after: KnowledgeResults): string {
  const [total, former] = [totalOf(after.dialogues), totalOf(before.dialogues)];
  const changed = SCORES.filter((name) => inPercent(total[name]) !== inPercent(former[name])).map(
    (name) => `${name}: ${inPercent(former[name])} before, ${inPercent(total[name])} now`,
  );
  const mistakesOf = ({ dialogues }: KnowledgeResults): string[] =>
    dialogues.flatMap(({ id, mistakes }) => mistakes.map((mistake) => `${id}: ${mistake}`));
  const [made, madeBefore] = [mistakesOf(after), mistakesOf(before)];
  const lines = [
    ...changed,
    ...made.filter((mistake) => !madeBefore.includes(mistake)).map((mistake) => `new mistake: ${mistake}`),
    ...madeBefore.filter((mistake) => !made.includes(mistake)).map((mistake) => `no more: ${mistake}`),
  ];
  const head = `Compared with ${before.model}, extraction prompt ${before.promptVersion}:`;
  return [head, ...(lines.length > 0 ? lines : ['nothing differs'])].join('\n');
}
