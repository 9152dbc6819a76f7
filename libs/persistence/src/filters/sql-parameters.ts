/** Collects the values of a statement and returns their placeholders. No value ever becomes part of the SQL text. */
export class SqlParameters {
  readonly values: unknown[] = [];

  constructor(private readonly first: number) {}

  /** @returns undefined for text that no row can contain: PostgreSQL has no NUL in text */
  text(value: string): string | undefined {
    return value.includes('\0') ? undefined : this.add(value, 'text');
  }

  texts(values: readonly string[]): string {
    return this.add(
      values.filter((value) => !value.includes('\0')),
      'text[]',
    );
  }

  number(value: number): string {
    return this.add(String(value), 'numeric');
  }

  numbers(values: readonly number[]): string {
    return this.add(values.map(String), 'numeric[]');
  }

  instant(value: string): string {
    return this.add(value, 'timestamptz');
  }

  private add(value: unknown, type: string): string {
    this.values.push(value);
    return `$${this.first + this.values.length - 1}::${type}`;
  }
}
