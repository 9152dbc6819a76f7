import { expect, jest, test } from '@jest/globals';
import { getMetadataStorage, IsInt, IsString } from 'class-validator';
import { rememberRules } from './remember-rules.js';

class Base {
  @IsInt()
  readonly n!: number;
}

class Derived extends Base {
  @IsString()
  readonly text!: string;
}

class Grouped {
  @IsInt({ groups: ['some'] })
  readonly n!: number;
}

function remembering() {
  const storage = getMetadataStorage();
  const find = jest.fn(storage.getTargetValidationMetadatas.bind(storage));
  const store = {
    getTargetValidationMetadatas: find,
    groupByPropertyName: jest.fn(storage.groupByPropertyName.bind(storage)),
  };
  rememberRules(store);
  const rulesOf = (target: typeof Base | typeof Grouped, groups?: string[]) =>
    store.getTargetValidationMetadatas(target, '', false, false, groups);
  return { find, store, rulesOf };
}

test('rules of a class, those that it inherits among them, are looked for once', () => {
  const { find, store, rulesOf } = remembering();
  const first = rulesOf(Derived);
  expect(Object.keys(store.groupByPropertyName(first)).sort()).toEqual(['n', 'text']);
  expect(rulesOf(Derived)).toBe(first);
  expect(store.groupByPropertyName(first)).toBe(store.groupByPropertyName(first));
  expect(rulesOf(Base)).toHaveLength(1);
  expect(find).toHaveBeenCalledTimes(2);
});

test('rules of a group are those of the group, whatever was asked before', () => {
  const { rulesOf } = remembering();
  rulesOf(Grouped);
  expect(rulesOf(Grouped, ['some'])).toHaveLength(1);
  expect(rulesOf(Grouped, ['other'])).toEqual([]);
});
