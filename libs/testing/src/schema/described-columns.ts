import type pg from 'pg';

/** A column of the rows that a statement answers. */
export interface DescribedColumn {
  readonly name: string;
  /** As `pg_type` calls it, arrays with `[]`. */
  readonly type: string;
  /** Undefined when it is not simply a column of a table. */
  readonly isNotNull: boolean | undefined;
}

interface Field {
  readonly name: string;
  readonly tableID: number;
  readonly columnID: number;
  readonly dataTypeID: number;
}

/** The part of the driver's connection that describes: https://www.postgresql.org/docs/17/protocol-flow.html, extended query. */
interface Wire {
  parse(query: { name: string; text: string; types: number[] }): void;
  describe(target: { type: 'S'; name: string }): void;
  sync(): void;
}

/** Has a statement parsed and described by the server, which does not run it. */
class Description implements pg.Submittable {
  private fields: Field[] = [];

  private constructor(
    private readonly text: string,
    private readonly resolve: (fields: Field[]) => void,
    private readonly reject: (error: Error) => void,
  ) {}

  static of(client: pg.Client, text: string): Promise<Field[]> {
    return new Promise((resolve, reject) => {
      client.query(new Description(text, resolve, reject));
    });
  }

  submit(connection: pg.Connection): void {
    const wire = connection as unknown as Wire;
    wire.parse({ name: '', text: this.text, types: [] });
    wire.describe({ type: 'S', name: '' });
    wire.sync();
  }

  handleRowDescription({ fields }: { fields: Field[] }): void {
    this.fields = fields;
  }

  handleError(error: Error): void {
    this.reject(error);
  }

  handleReadyForQuery(): void {
    this.resolve(this.fields);
  }
}

const COLUMNS = `
SELECT CASE WHEN type.typcategory = 'A' THEN element.typname || '[]' ELSE type.typname END AS type,
       attribute.attnotnull AS is_not_null
FROM unnest($1::oid[], $2::oid[], $3::int[]) WITH ORDINALITY AS field (type, relation, number, position)
JOIN pg_type AS type ON type.oid = field.type
LEFT JOIN pg_type AS element ON element.oid = type.typelem
LEFT JOIN pg_attribute AS attribute ON attribute.attrelid = field.relation AND attribute.attnum = field.number
ORDER BY position`;

/** @throws what the server says of a statement that it can't parse */
export async function describedColumns(client: pg.Client, text: string): Promise<DescribedColumn[]> {
  const fields = await Description.of(client, text);
  const { rows } = await client.query<{ type: string; is_not_null: boolean | null }>(COLUMNS, [
    fields.map(({ dataTypeID }) => dataTypeID),
    fields.map(({ tableID }) => tableID),
    fields.map(({ columnID }) => columnID),
  ]);
  return rows.map(({ type, is_not_null: isNotNull }, index) => ({
    name: fields[index]?.name ?? '',
    type,
    isNotNull: isNotNull ?? undefined,
  }));
}
