import { type Comparison, type Literal } from '@loci/contracts';
import { type AttributeSource, attributeToken } from './attribute-token.js';
import { allBounds, atMost, type Bounds, complement, exactly } from './bounds.js';
import { hasToken } from './condition.js';

/** A number as people write it; in other notations the text of a value may not count as this number. */
const PLAIN_DECIMAL = /^-?\d+(?:\.\d+)?$/;

export const attributePresence = (source: AttributeSource, key: string): Bounds =>
  exactly(hasToken(attributeToken(source, key, ['present'])));

/** A comparison with a missing value is false, `!=` included (api-contract §0 row 14). */
export function attributeBounds(
  source: AttributeSource,
  key: string,
  comparison: Comparison,
  literal: Literal,
): Bounds {
  switch (comparison) {
    case '=':
      return equality(source, key, literal);
    case '!=':
      return allBounds([attributePresence(source, key), complement(equality(source, key, literal))]);
    case '<':
    case '<=':
    case '>':
    case '>=':
      return atMost(attributePresence(source, key).upper);
  }
}

function equality(source: AttributeSource, key: string, literal: Literal): Bounds {
  switch (literal.type) {
    case 'string':
      return exactly(hasToken(attributeToken(source, key, ['text', literal.value])));
    case 'number': {
      const text = String(literal.value);
      return {
        upper: hasToken(attributeToken(source, key, ['number', literal.value])),
        lower: PLAIN_DECIMAL.test(text) && hasToken(attributeToken(source, key, ['text', text])),
      };
    }
    case 'boolean':
    case 'instant':
      return atMost(attributePresence(source, key).upper);
  }
}
