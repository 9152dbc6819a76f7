import {
  RESOURCE_NAME_MAX_LENGTH,
  type ResourceKind,
  resourceNotFound,
  type ResourceReference,
} from '@loci/contracts';
import { boolean, byDefault, described } from '@loci/platform/schema';
import { NotFoundException } from '@nestjs/common';
import { Type } from 'typebox';
import { request } from '../wire/schema/request.js';
import { KINDS } from './resource.wire.js';

export const kindSegment = described(Type.Enum(Object.keys(KINDS)), 'Kind of the resource.');
export const nameSegment = described(
  Type.String({ minLength: 1, maxLength: RESOURCE_NAME_MAX_LENGTH }),
  'Name of the resource.',
  'gpt',
);

/** @throws NotFoundException: a path with another word in this segment is not there */
export function kindOf(segment: string): ResourceKind {
  const kinds: Readonly<Partial<Record<string, ResourceKind>>> = KINDS;
  const kind = Object.hasOwn(KINDS, segment) ? kinds[segment] : undefined;
  if (!kind) throw new NotFoundException();
  return kind;
}

/** @throws NotFoundException, or AppError `resource_not_found` for a name that no resource can have */
export function referenceOf(segment: string, name: string): ResourceReference {
  const kind = kindOf(segment);
  if (name.includes('\0') || [...name].length > RESOURCE_NAME_MAX_LENGTH) throw resourceNotFound(kind, name);
  return { kind, name };
}

export class RemoveResourceQuery extends request('RemoveResourceQuery', {
  force: described(byDefault(boolean, false), 'Whether it is removed although something uses it.'),
}) {}
