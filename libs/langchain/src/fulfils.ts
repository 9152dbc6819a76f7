type Value = Readonly<Record<string, unknown>>;

/** Whether a value has what a filter of LangGraph says: equal fields, or `$eq`, `$ne`, `$gt`, `$gte`, `$lt`, `$lte`, `$in`, `$nin`. */
export const fulfils = (value: Value, filter: Value | undefined): boolean =>
  Object.entries(filter ?? {}).every(([field, condition]) => holds(value[field], condition));

function holds(value: unknown, condition: unknown): boolean {
  if (!isComparison(condition)) return value === condition;
  return Object.entries(condition).every(([operator, operand]) => compares(operator, value, operand));
}

const isComparison = (condition: unknown): condition is Value =>
  typeof condition === 'object' &&
  condition !== null &&
  !Array.isArray(condition) &&
  Object.keys(condition).some((key) => key.startsWith('$'));

function compares(operator: string, value: unknown, operand: unknown): boolean {
  switch (operator) {
    case '$eq':
      return value === operand;
    case '$ne':
      return value !== operand;
    case '$gt':
      return Number(value) > Number(operand);
    case '$gte':
      return Number(value) >= Number(operand);
    case '$lt':
      return Number(value) < Number(operand);
    case '$lte':
      return Number(value) <= Number(operand);
    case '$in':
      return Array.isArray(operand) && operand.includes(value);
    case '$nin':
      return !Array.isArray(operand) || !operand.includes(value);
    default:
      return false;
  }
}
