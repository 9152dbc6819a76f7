import { isScalar, LineCounter, parseDocument, type Document } from 'yaml';
import { ConfigurationFileError } from './configuration-file.error.js';

/** A path of keys from the root of the document. */
export type Keys = readonly string[];

/** The text of a configuration file: what it says, where it says it, and changes that leave everything else as it is. */
export class ConfigurationDocument {
  private isChanged = false;

  private constructor(
    private readonly path: string,
    private readonly document: Document,
    private readonly lines: LineCounter,
  ) {}

  /** @throws ConfigurationFileError for a text that is no YAML map, with line and column */
  static parse(text: string, path: string): ConfigurationDocument {
    const lines = new LineCounter();
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
    const [error] = document.errors;
    if (error) {
      const { line, col } = lines.linePos(error.pos[0]);
      throw new ConfigurationFileError(path, { line, col }, error.message);
    }
    const root: unknown = document.toJS();
    if (typeof root === 'object' && !Array.isArray(root)) {
      return new ConfigurationDocument(path, document, lines);
    }
    throw new ConfigurationFileError(path, { line: 1, col: 1 }, 'The file has to be a map of sections.');
  }

  /** The value there as plain data; undefined when it is missing or null. */
  get(keys: Keys): unknown {
    let value: unknown = this.document.toJS();
    for (const key of keys) {
      if (typeof value !== 'object' || value === null) return undefined;
      value = Reflect.get(value, key);
    }
    return value ?? undefined;
  }

  /** The keys below a map. @throws ConfigurationFileError when there is something else */
  keysBelow(keys: Keys): string[] {
    const value = this.get(keys);
    if (value === undefined) return [];
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return Object.keys(value);
    throw this.error(keys, `'${keys.join('.')}' has to be a map.`);
  }

  set(keys: Keys, value: unknown): void {
    if (JSON.stringify(this.get(keys)) === JSON.stringify(value)) return;
    this.isChanged = true;
    const current = this.get(keys);
    if (isPlainObject(current) && isPlainObject(value)) this.mergeInto(keys, current, value);
    else {
      this.makeRoom(keys);
      this.document.setIn(keys, isPlainObject(value) ? this.document.createNode(value) : value);
    }
  }

  delete(keys: Keys): void {
    if (!this.document.hasIn(keys)) return;
    this.document.deleteIn(keys);
    this.isChanged = true;
  }

  /** The text with the changes; undefined when there are none. */
  changedText(): string | undefined {
    return this.isChanged ? this.document.toString({ lineWidth: 0 }) : undefined;
  }

  /** An error about what stands at the keys, or would stand there. */
  error(keys: Keys, message: string): ConfigurationFileError {
    for (let length = keys.length; length > 0; length -= 1) {
      const node: unknown = this.document.getIn(keys.slice(0, length), true);
      const range = typeof node === 'object' && node !== null && 'range' in node ? node.range : undefined;
      const start: unknown = Array.isArray(range) ? range[0] : undefined;
      if (typeof start === 'number') {
        return new ConfigurationFileError(this.path, this.lines.linePos(start), message);
      }
    }
    return new ConfigurationFileError(this.path, { line: 1, col: 1 }, message);
  }

  private mergeInto(keys: Keys, current: object, value: object): void {
    for (const key of Object.keys(current)) if (!(key in value)) this.delete([...keys, key]);
    for (const [key, one] of Object.entries(value)) this.set([...keys, key], one);
  }

  /** A section without content (`embedders:`) is null, and nothing could be put into it. */
  private makeRoom(keys: Keys): void {
    for (let length = 1; length < keys.length; length += 1) {
      const section = keys.slice(0, length);
      const node: unknown = this.document.getIn(section, true);
      if (isScalar(node) && node.value === null) this.document.setIn(section, this.document.createNode({}));
    }
  }
}

const isPlainObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
