import { refusedAs, ruled } from '@loci/platform/schema';
import { Type } from 'typebox';

const UUID = '^[\\da-fA-F]{8}(?:-[\\da-fA-F]{4}){3}-[\\da-fA-F]{12}$';

export const uuid = refusedAs(
  ruled(Type.Unsafe<string>({ type: 'string', pattern: UUID }), {
    published: { pattern: undefined, format: 'uuid' },
  }),
  'uuid_parsing',
  'Input should be a valid UUID',
);
