import { type BuiltInCategory } from '../category.js';
import { CODING } from './coding.js';
import { CRM } from './crm.js';
import { FINANCIAL_ANALYST } from './financial-analyst.js';
import { HEALTH_ASSISTANT } from './health-assistant.js';
import { PROFILE } from './profile.js';
import { WRITING_ASSISTANT } from './writing-assistant.js';

/** What a deployment can choose from, by name. */
export const BUILT_IN_CATEGORIES: ReadonlyMap<string, BuiltInCategory> = new Map(
  [PROFILE, CODING, WRITING_ASSISTANT, FINANCIAL_ANALYST, HEALTH_ASSISTANT, CRM].map((category) => [
    category.name,
    category,
  ]),
);

/** The names in a list with commas. */
export const builtInNames = (list: string): string[] =>
  list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

/** The categories of a list with commas. @throws Error for a name that is none */
export const builtInCategories = (list: string): BuiltInCategory[] =>
  builtInNames(list).map((name) => {
    const category = BUILT_IN_CATEGORIES.get(name);
    if (!category) throw new Error(`${name} is no built-in category.`);
    return category;
  });
