import { Type } from 'typebox';

/** A moment in UTC with its offset, as answers carry it. */
export const instantText = Type.String({ format: 'date-time' });

export const textMap = Type.Record(Type.String(), Type.String());
