import pg from 'pg';
import { type Client } from './client.js';
import { type RowScope, SCOPE_SETTING } from './row-scope.js';

/** Says whose rows the statements of a transaction see, until it ends. */
export const SET_SCOPE = { name: 'set_scope', text: `SELECT set_config('${SCOPE_SETTING}', $1, true)` };

/** What this needs of a connection of the driver. */
interface Wire {
  readonly stream: { cork(): void; uncork(): void; destroy(error: Error): void };
  /** Texts of statements that the server has parsed, and that it was asked to parse, by name. */
  readonly parsedStatements: Record<string, string | undefined>;
  readonly submittedNamedStatements: Record<string, string | undefined>;
  parse(statement: { name: string; text: string }): void;
  bind(values: { statement: string; values: unknown[] }): void;
  execute(portal: object): void;
}

/** The members of the driver's query that it calls, and that its types leave out. */
interface DriverQuery {
  name: string | undefined;
  text: string;
  submit(wire: Wire): Error | null;
  handleDataRow(message: object): void;
  handleCommandComplete(message: object, wire: Wire): void;
  handleError(error: Error, wire: Wire): void;
}

interface Rows {
  readonly rows: unknown[];
}

interface Statement {
  readonly name?: string | undefined;
  readonly text: string;
  readonly values: unknown[];
}

const DriverQuery = pg.Query as unknown as new (
  statement: Statement,
  callback: (error: Error | null, result: Rows) => void,
) => DriverQuery;

/**
 * A statement that sees the rows of a scope: the setting that says so and the statement go out in one write, before one
 * `Sync`, so PostgreSQL runs both in one transaction, which ends with the statement, and answers once.
 */
export class ScopedQuery extends DriverQuery {
  private isSent = false;
  /** Until the setting is answered, the driver takes what it hears to be about it. */
  private isScopeSet = false;

  private constructor(
    private readonly scope: RowScope,
    private readonly statement: Statement,
    callback: (error: Error | null, result: Rows) => void,
  ) {
    super(statement, callback);
  }

  static async run(client: Client, scope: RowScope, statement: Statement): Promise<Rows> {
    return new Promise((resolve, reject) => {
      const answer = (error: Error | null, result: Rows): void => (error ? reject(error) : resolve(result));
      client.query(new ScopedQuery(scope, statement, answer));
    });
  }

  override submit(wire: Wire): Error | null {
    wire.stream.cork();
    try {
      this.submitScope(wire);
      const refused = super.submit(wire);
      // the server would wait for the end of what was begun
      if (refused) wire.stream.destroy(refused);
      this.isSent = true;
      this.name = SET_SCOPE.name;
      this.text = SET_SCOPE.text;
      return refused;
    } finally {
      wire.stream.uncork();
    }
  }

  override handleDataRow(message: object): void {
    if (this.isScopeSet) super.handleDataRow(message);
  }

  override handleCommandComplete(message: object, wire: Wire): void {
    if (this.isScopeSet) {
      super.handleCommandComplete(message, wire);
      return;
    }
    this.isScopeSet = true;
    this.name = this.statement.name;
    this.text = this.statement.text;
  }

  override handleError(error: Error, wire: Wire): void {
    const { name } = this.statement;
    if (name !== undefined) {
      // the setting may have failed: then the server has not even read the statement
      wire.submittedNamedStatements[name] = undefined;
      // of a value that cannot be sent: the driver has closed the statement
      if (!this.isSent) wire.parsedStatements[name] = undefined;
    }
    super.handleError(error, wire);
  }

  private submitScope(wire: Wire): void {
    const { name, text } = SET_SCOPE;
    if (wire.parsedStatements[name] === undefined && wire.submittedNamedStatements[name] === undefined) {
      wire.parse({ name, text });
      wire.submittedNamedStatements[name] = text;
    }
    wire.bind({ statement: name, values: [this.scope] });
    wire.execute({});
  }
}
