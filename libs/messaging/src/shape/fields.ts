import { type Shape } from '@loci/contracts';
import { defaultMetadataStorage } from 'class-transformer/cjs/storage.js';
import { getMetadataStorage, type ValidationArguments, ValidationTypes } from 'class-validator';

/** Whether a value of a field of `owner` certainly keeps a rule. */
type Check = (value: unknown, owner: object) => boolean;

/** A field of a shape, as its decorators describe it. */
export interface Field {
  readonly name: string;
  /** The class of its value, or of each of its values. */
  readonly type: Shape<object> | undefined;
  /** The rules count only while all of these hold. */
  readonly conditions: readonly Check[];
  readonly rules: readonly Check[];
  /** Its value, or each of its values, has to keep the rules of `type`. */
  readonly isNested: boolean;
}

type Metadata = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

const known = new WeakMap<Shape<object>, ReadonlyMap<string, Field>>();

/** The fields of a shape that have rules, by name, those that it inherits among them; looked for once. */
export function fieldsOf(shape: Shape<object>): ReadonlyMap<string, Field> {
  const fields = known.get(shape) ?? describedFields(shape);
  known.set(shape, fields);
  return fields;
}

function describedFields(shape: Shape<object>): ReadonlyMap<string, Field> {
  const store = getMetadataStorage();
  const grouped = store.groupByPropertyName(store.getTargetValidationMetadatas(shape, '', false, false));
  return new Map(Object.entries(grouped).map(([name, all]) => [name, fieldOf(shape, name, all)]));
}

function fieldOf(shape: Shape<object>, name: string, all: readonly Metadata[]): Field {
  const of = (...types: string[]): Metadata[] => all.filter(({ type }) => types.includes(type));
  const { CONDITIONAL_VALIDATION, NESTED_VALIDATION, WHITELIST } = ValidationTypes;
  const apart = of(CONDITIONAL_VALIDATION, NESTED_VALIDATION, WHITELIST);
  return {
    name,
    type: defaultMetadataStorage.findTypeMetadata(shape, name)?.typeFunction(),
    conditions: of(CONDITIONAL_VALIDATION).map(conditionOf),
    rules: all.filter((metadata) => !apart.includes(metadata)).map(ruleOf),
    isNested: of(NESTED_VALIDATION).length > 0,
  };
}

function conditionOf({ constraints }: Metadata): Check {
  const [holds] = constraints as [(owner: object, value: unknown) => boolean];
  return (value, owner) => holds(owner, value);
}

function ruleOf(metadata: Metadata): Check {
  const { type, constraintCls, constraints, each, propertyName: property, validateIf } = metadata;
  if (type !== ValidationTypes.CUSTOM_VALIDATION || validateIf) return () => false;
  const validators = getMetadataStorage().getTargetValidatorConstraints(constraintCls);
  const keeps = (value: unknown, context: ValidationArguments): boolean =>
    validators.every(({ instance }) => instance.validate(value, context) === true);
  return (value, object) => {
    const context = { targetName: object.constructor.name, property, object, value, constraints };
    return each && Array.isArray(value) ? value.every((item) => keeps(item, context)) : keeps(value, context);
  };
}
