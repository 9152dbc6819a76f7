import { type SemanticPart, type SemanticParts } from '@loci/contracts';
import { type RequestClass } from '../wire/schema/request.js';
import { type LineKind } from './export-cursor.js';

/** Reads a line as one of a shape, or refuses it. */
export type ReadLine = <Shape extends object>(shape: RequestClass<Shape>) => Shape;

/** How parts of one kind are written as lines and read again. */
export interface PartLines {
  readonly kind: LineKind;
  readonly part: SemanticPart;
  readonly shape: RequestClass;
  write(parts: SemanticParts): object[];
  read(line: ReadLine): SemanticParts[SemanticPart][number];
}

interface PartForm<Part extends SemanticPart, Line extends object> {
  readonly shape: RequestClass<Line>;
  readonly from: (part: SemanticParts[Part][number]) => Line;
  readonly to: (line: Line) => SemanticParts[Part][number];
}

export const partLines = <Part extends SemanticPart, Line extends object>(
  kind: LineKind,
  part: Part,
  { shape, from, to }: PartForm<Part, Line>,
): PartLines => ({
  kind,
  part,
  shape,
  write: (parts) => (parts[part] as readonly SemanticParts[Part][number][]).map(from),
  read: (line) => to(line(shape)),
});
