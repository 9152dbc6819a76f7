import { describe, expect, test } from '@jest/globals';
import { availableCategories } from './available-categories.js';
import { BUILT_IN_CATEGORIES } from './built-in/built-in-categories.js';

const own = { uid: '1', origin: 'set' as const, name: 'a', prompt: 'own', tags: {} };
const inherited = { uid: '2', origin: 'set_type' as const, name: 'a', prompt: 'inherited', tags: {} };
const builtIn = { name: 'a', prompt: 'built in', tags: {} };

const prompts = (sources: Partial<Parameters<typeof availableCategories>[0]>): string[] =>
  availableCategories({ own: [], inherited: [], builtIn: [], disabled: new Set(), ...sources }).map(
    ({ prompt }) => prompt,
  );

test('of one name, the own category goes before a template, and that before a built-in one', () => {
  expect(prompts({ own: [own], inherited: [inherited], builtIn: [builtIn] })).toEqual(['own']);
  expect(prompts({ inherited: [inherited], builtIn: [builtIn] })).toEqual(['inherited']);
  expect(prompts({ builtIn: [builtIn] })).toEqual(['built in']);
});

test('disabling takes templates and built-in categories away, and leaves the own ones', () => {
  const disabled = new Set(['a']);
  expect(prompts({ own: [own], disabled })).toEqual(['own']);
  expect(prompts({ inherited: [inherited], builtIn: [builtIn], disabled })).toEqual([]);
});

describe('built-in categories', () => {
  test('are the six documented ones', () => {
    expect([...BUILT_IN_CATEGORIES.keys()].sort()).toEqual([
      'coding',
      'crm',
      'financial_analyst',
      'health_assistant',
      'profile',
      'writing_assistant',
    ]);
  });

  test.each([...BUILT_IN_CATEGORIES.values()])(
    '$name has a prompt, and tags that are described',
    (category) => {
      expect(category.prompt.length).toBeGreaterThan(300);
      expect(Object.keys(category.tags).length).toBeGreaterThanOrEqual(12);
      expect(Object.values(category.tags).filter((description) => !description.endsWith('.'))).toEqual([]);
    },
  );

  test('the profile has its 37 tags', () => {
    expect(Object.keys(BUILT_IN_CATEGORIES.get('profile')?.tags ?? {})).toHaveLength(37);
  });
});
