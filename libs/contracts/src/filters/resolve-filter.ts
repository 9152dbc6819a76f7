import { instantFromIso, instantFromNumber, type Instant } from '../instant.js';
import { isMomentField, systemField } from './filter-fields.js';
import { type FieldSyntax, type FilterSyntax, type Refuse, type ValueSyntax } from './filter-syntax.js';
import { type Comparison, type Filter, type FilterField, type Literal, SYSTEM_FIELDS } from './filter.js';

/** What the fields and values of a filter mean. Calls `refuse` for the first that means nothing. */
export function resolveFilter(syntax: FilterSyntax, refuse: Refuse): Filter {
  switch (syntax.op) {
    case 'and':
    case 'or':
      return { op: syntax.op, args: syntax.args.map((arg) => resolveFilter(arg, refuse)) };
    case 'not':
      return { op: 'not', arg: resolveFilter(syntax.arg, refuse) };
    case 'present':
      return { op: 'present', field: fieldOf(syntax.field, refuse) };
    case 'compare': {
      const { comparison } = syntax;
      const field = fieldOf(syntax.field, refuse);
      return { op: 'compare', field, comparison, value: literalOf(syntax.value, field, comparison, refuse) };
    }
    case 'in': {
      const field = fieldOf(syntax.field, refuse);
      refuseMixedList(syntax.values, refuse);
      return { op: 'in', field, values: syntax.values.map((value) => literalOf(value, field, '=', refuse)) };
    }
  }
}

const METADATA_PREFIX = /^(?:metadata|m)\./;

function fieldOf(field: FieldSyntax, refuse: Refuse): FilterField {
  if (field.kind === 'metadata')
    return field.key === '' ? refuseEmptyKey(field, refuse) : metadata(field.key);
  const prefix = METADATA_PREFIX.exec(field.name)?.[0];
  if (prefix !== undefined) {
    const key = field.name.slice(prefix.length);
    return key === '' ? refuseEmptyKey(field, refuse) : metadata(key);
  }
  const name = systemField(field.name);
  if (name) return { kind: 'system', name };
  return refuse(
    'filter_unknown_field',
    field.offset,
    `unknown field '${shown(field.name)}'; known are ${SYSTEM_FIELDS.join(', ')} and metadata.<key>`,
  );
}

const metadata = (key: string): FilterField => ({ kind: 'metadata', key });

const refuseEmptyKey = ({ offset }: FieldSyntax, refuse: Refuse): never =>
  refuse('filter_unknown_field', offset, "a key is missing; write metadata.<key> or metadata.'any key'");

function literalOf(value: ValueSyntax, field: FilterField, comparison: Comparison, refuse: Refuse): Literal {
  if (field.kind === 'system' && isMomentField(field.name)) {
    const moment = momentOf(value);
    return moment ? instant(moment) : refuse('filter_value', value.offset, notAMoment(value, field.name));
  }
  switch (value.kind) {
    case 'text':
      return { type: 'string', value: value.text };
    case 'boolean':
      return { type: 'boolean', value: value.value };
    case 'date': {
      const moment = instantFromIso(value.text);
      return moment ? instant(moment) : refuse('filter_value', value.offset, notAMoment(value, 'date()'));
    }
    case 'integer':
    case 'decimal':
      return numberOf(value.text, comparison) ?? refuse('filter_value', value.offset, tooBig(value.text));
  }
}

const instant = (value: Instant): Literal => ({ type: 'instant', value });

function momentOf(value: ValueSyntax): Instant | undefined {
  switch (value.kind) {
    case 'date':
    case 'text':
      return instantFromIso(value.text);
    case 'integer':
    case 'decimal':
      return instantFromNumber(Number(value.text));
    case 'boolean':
      return undefined;
  }
}

/**
 * A number that a double can't represent exactly, an id of 18 digits for instance, still equals its own text;
 * there is no sort order for it.
 */
function numberOf(text: string, comparison: Comparison): Literal | undefined {
  const value = Number(text) + 0;
  if (Math.abs(value) <= Number.MAX_SAFE_INTEGER) return { type: 'number', value };
  return comparison === '=' || comparison === '!=' ? { type: 'string', value: text } : undefined;
}

const LIST_KINDS: ReadonlySet<ValueSyntax['kind']> = new Set(['text', 'integer']);

function refuseMixedList(values: readonly ValueSyntax[], refuse: Refuse): void {
  const kind = values[0]?.kind;
  const odd = values.find((value) => !LIST_KINDS.has(value.kind) || value.kind !== kind);
  if (odd) {
    refuse('filter_value', odd.offset, 'a list holds only whole numbers or only texts; this is another kind');
  }
}

const MAX_SHOWN = 40;

const shown = (text: string): string => [...text].slice(0, MAX_SHOWN).join('');

const written = (value: ValueSyntax): string => (value.kind === 'boolean' ? String(value.value) : value.text);

const notAMoment = (value: ValueSyntax, whose: string): string =>
  `${whose} takes a moment like date('2024-05-01T10:00:00Z'), not ${JSON.stringify(shown(written(value)))}`;

const tooBig = (text: string): string =>
  `${shown(text)} is too large a number for this comparison; put it in quotes to compare it as text`;
