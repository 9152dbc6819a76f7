import { afterAll, expect, jest, test } from '@jest/globals';
import * as contracts from '@loci/contracts';
import { type Shape } from '@loci/contracts';
import { getMetadataStorage, validateSync } from 'class-validator';
import { type Field, fieldsOf } from './fields.js';
import { instantiate } from './instantiate.js';
import { keepsRules } from './keeps-rules.js';

/** Values that some rules of contracts take, and others refuse. */
const SAMPLES: readonly unknown[] = [
  ...[undefined, null, true, 0, 1, -1, 0.5, 10_000, Number.NaN, '', 'x', 'x'.repeat(300)],
  ...['0190b3a4-1c2d-7e3f-8a4b-5c6d7e8f9a0b', '2026-01-02T03:04:05.000006Z', '2026-01-02', 'eHh4eA=='],
  ...['episodic', 'semantic', 'key', 'read', 'ready', 'embedder', 'running', 'add', '0123456789abcdef'],
  ...[[], ['x'], ['episodic'], [1], [null], [['x']], {}, { a: 'x' }, [{}]],
];

const CLASSES = Object.values(contracts).filter(
  (value): value is Shape<object> => typeof value === 'function' && /^class\s/.test(String(value)),
);

const SHAPES = CLASSES.filter((shape) => fieldsOf(shape).size > 0);

/** class-validator looks through the rules of all classes for each value, those that other test files have loaded, too. */
const storage = getMetadataStorage();
const look = storage.getTargetValidationMetadatas.bind(storage);
const found = new Map<unknown, Map<string, ReturnType<typeof look>>>();
const lookOnce = jest
  .spyOn(storage, 'getTargetValidationMetadatas')
  .mockImplementation((shape, ...wanted) => {
    const ofShape = found.get(shape) ?? new Map<string, ReturnType<typeof look>>();
    found.set(shape, ofShape);
    const how = JSON.stringify(wanted);
    const rules = ofShape.get(how) ?? look(shape, ...wanted);
    ofShape.set(how, rules);
    return rules;
  });
afterAll(() => lookOnce.mockRestore());

const problems = (instance: object): string[] =>
  validateSync(instance, { whitelist: true, forbidUnknownValues: false }).map(({ property }) => property);

const withField = (shape: Shape<object>, fields: object, name: string, value: unknown): object =>
  instantiate(shape, { ...fields, [name]: value }) as object;

/** What may stand in a field: samples, and fields that the class of its value takes, alone and in a list. */
function candidates({ type }: Field): readonly unknown[] {
  if (!type) return SAMPLES;
  const inside = fieldsFor(type);
  return [...SAMPLES, inside, [inside, null], [[inside]], [inside, {}], [inside, inside]];
}

/** For each class fields that keep as many rules as the samples can. */
const accepted = new Map<Shape<object>, object>();

function acceptedFields(shape: Shape<object>): object {
  accepted.set(shape, {});
  return [...fieldsOf(shape).values()].reduce((fields: object, field) => {
    const { name, type } = field;
    if (type && !accepted.has(type)) accepted.set(type, acceptedFields(type));
    const value = candidates(field).findLast(
      (sample) => !problems(withField(shape, fields, name, sample)).includes(name),
    );
    return value === undefined ? fields : { ...fields, [name]: value };
  }, {});
}

const fieldsFor = (shape: Shape<object>): object => accepted.get(shape) ?? {};

for (const shape of SHAPES) if (!accepted.has(shape)) accepted.set(shape, acceptedFields(shape));

test('there are contracts to try, and the samples fit nearly all of them', () => {
  const fitted = SHAPES.filter((shape) => problems(withField(shape, fieldsFor(shape), '', '')).length === 0);
  expect(SHAPES.length).toBeGreaterThan(100);
  expect(fitted.length).toBeGreaterThan(SHAPES.length * 0.8);
});

test.each(SHAPES.map((shape) => [shape.name, shape] as const))(
  '%s: as class-validator has it',
  (_, shape) => {
    const others = fieldsFor(shape);
    const different: object[] = [];
    for (const field of fieldsOf(shape).values()) {
      for (const value of candidates(field)) {
        const isKept = keepsRules(shape, withField(shape, others, field.name, value));
        const wrong = problems(withField(shape, others, field.name, value));
        if (isKept !== (wrong.length === 0)) different.push({ field: field.name, value, wrong, isKept });
      }
    }
    expect(different).toEqual([]);
  },
);
