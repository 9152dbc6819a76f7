/** Where a secret belongs. A text sealed for one place can't be opened at another. */
export interface SecretPlace {
  readonly kind: string;
  readonly name: string;
  readonly field: string;
}
