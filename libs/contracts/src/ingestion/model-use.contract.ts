import { IsInt, IsNumber, IsOptional } from 'class-validator';

/** What language models were asked. */
export class ModelUse {
  /** Calls that the provider answered, also those whose reply was of no use. */
  @IsInt()
  readonly calls!: number;

  @IsInt()
  readonly inputTokens!: number;

  @IsInt()
  readonly outputTokens!: number;

  /** In the currency of the prices that the model had when it was called; absent when it never had any. */
  @IsOptional()
  @IsNumber()
  readonly cost?: number | undefined;
}
