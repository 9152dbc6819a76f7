import { AppError } from '@loci/contracts';
import { described } from '@loci/platform/schema';
import { type Static, Type } from 'typebox';
import { ignoredFieldsPart } from '../wire/ignored-fields.js';

export const doneAnswer = Type.Object(
  {
    success: described(Type.Literal(true), 'Always true; a refusal has another status.'),
    message: Type.String({ description: 'What was changed: `Updated: llm_model=gpt`.' }),
    warnings: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'What is in force now but will not do what it is for, such as a model that has failed, and which operation mends it. Absent when there is nothing.',
      }),
    ),
    ...ignoredFieldsPart,
  },
  { title: 'ConfigurationChanged' },
);
export type DoneAnswer = Static<typeof doneAnswer>;

/** What an update changed: `Updated: path=value, ...`, values as clients of the reference know them. */
export function updateAnswer(
  body: object,
  warnings: readonly string[],
  names: Readonly<Record<string, string>> = {},
): DoneAnswer {
  const changes = changesIn(body).map(([path, value]) => `${names[path] ?? path}=${shown(value)}`);
  const message = changes.length > 0 ? `Updated: ${changes.join(', ')}` : 'No changes applied.';
  return { success: true, message, ...(warnings.length > 0 && { warnings: [...warnings] }) };
}

function changesIn(body: object, prefix = ''): [path: string, value: unknown][] {
  return Object.entries(body).flatMap(([key, value]: [string, unknown]): [string, unknown][] => {
    const path = `${prefix}${key}`;
    if (value === undefined) return [];
    const isSection = typeof value === 'object' && value !== null && key !== 'properties_schema';
    return isSection ? changesIn(value, `${path}.`) : [[path, value]];
  });
}

function shown(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/**
 * Runs an update of one section; the service names problems by their path in the whole configuration, the client wants
 * them by their path in the body.
 */
export async function placedIn<T>(section: readonly string[], update: () => Promise<T>): Promise<T> {
  try {
    return await update();
  } catch (error) {
    if (!(error instanceof AppError) || !error.details.problems) throw error;
    const problems = error.details.problems.map(({ loc: [body = 'body', ...path], ...problem }) => {
      const isInside = section.every((key, index) => path[index] === key);
      return { ...problem, loc: [body, ...(isInside ? path.slice(section.length) : path)] };
    });
    throw new AppError(error.code, error.message, { ...error.details, problems }, error);
  }
}
