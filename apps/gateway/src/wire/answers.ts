import { type TNull, type TSchema, type TUnion, Type } from 'typebox';

/** A moment in UTC with its offset, as answers carry it. */
export const instantText = Type.String({ format: 'date-time' });

export const textMap = Type.Record(Type.String(), Type.String());

/** What is always there, and null when there is nothing to say. */
export const nullable = <Schema extends TSchema>(schema: Schema): TUnion<[Schema, TNull]> =>
  Type.Union([schema, Type.Null()]);

/** Beside a number that is exact without it. */
export const atLeast = Type.Optional(
  Type.Boolean({
    description:
      'True where the number is of those that were counted within seconds, and there may be more, as in projects with millions of messages. Absent = the number is exact.',
  }),
);
