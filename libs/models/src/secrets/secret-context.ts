/** The field that a secret belongs to. A text sealed for one context can't be opened in another. */
export interface SecretContext {
  readonly kind: string;
  readonly name: string;
  readonly field: string;
}
