import { Type } from 'class-transformer';
import { IsOptional, IsUUID, Matches, ValidateNested } from 'class-validator';
import { INSTANT, type Instant } from './instant.js';

/** A position in a sequence that is sorted by `createdAt`, then uid: behind this row. */
export class RowPosition {
  @Matches(INSTANT)
  readonly createdAt!: Instant;

  @IsUUID()
  readonly uid!: string;
}

/** What a refusal of a page that is too large says besides how many rows would fit. */
export const BY_CURSOR = 'or send `cursor`, at first empty, which ends pages where they would be too large';

/** Asks for a page that ends where it would be too large for an answer, and says where the next one begins. */
export class PageByPosition {
  /** Absent = from the beginning. */
  @IsOptional()
  @ValidateNested()
  @Type(() => RowPosition)
  readonly after?: RowPosition | undefined;
}
