const WHITE_SPACE = /[ \t\n\r]*/y;
const SCALAR = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const FIRST_PRINTABLE = 0x20;

/**
 * Where a text stops being JSON, in UTF-16 units from 0: `JSON.parse` says it in some of its messages only.
 * For texts that it refused.
 */
export const jsonErrorPosition = (text: string): number => new JsonScanner(text).run();

/** Walks over JSON without building anything, and without recursion. */
class JsonScanner {
  private at = 0;
  private readonly closers: (']' | '}')[] = [];

  constructor(private readonly text: string) {}

  run(): number {
    let expected: Expected = 'value';
    for (;;) {
      this.skip(WHITE_SPACE);
      const next = this.step(expected);
      if (!next) return this.at;
      expected = next;
    }
  }

  /** Takes one token. @returns what comes after it, undefined when it is none of the expected */
  private step(expected: Expected): Expected | undefined {
    switch (expected) {
      case 'first item':
        return this.close() ?? this.value();
      case 'value':
        return this.value();
      case 'first key':
        return this.close() ?? this.key();
      case 'key':
        return this.key();
      case 'colon':
        return this.take(':') ? 'value' : undefined;
      case 'more':
        return this.close() ?? this.comma();
    }
  }

  private value(): Expected | undefined {
    if (this.take('[')) return this.open(']', 'first item');
    if (this.take('{')) return this.open('}', 'first key');
    const isRead = this.text[this.at] === '"' ? this.skipText() : this.skip(SCALAR);
    return isRead ? 'more' : undefined;
  }

  private key(): Expected | undefined {
    return this.text[this.at] === '"' && this.skipText() ? 'colon' : undefined;
  }

  private open(closer: ']' | '}', next: Expected): Expected {
    this.closers.push(closer);
    return next;
  }

  private close(): Expected | undefined {
    const closer = this.closers.at(-1);
    if (closer === undefined || !this.take(closer)) return undefined;
    this.closers.pop();
    return 'more';
  }

  private comma(): Expected | undefined {
    const closer = this.closers.at(-1);
    if (closer === undefined || !this.take(',')) return undefined;
    return closer === ']' ? 'value' : 'key';
  }

  private take(character: string): boolean {
    const isThere = this.text[this.at] === character;
    if (isThere) this.at += 1;
    return isThere;
  }

  private skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    const length = pattern.exec(this.text)?.[0].length;
    this.at += length ?? 0;
    return length !== undefined;
  }

  private skipText(): boolean {
    this.at += 1;
    while (this.at < this.text.length) {
      const character = this.text[this.at];
      if (character === '"') return this.take('"');
      if (character === '\\') {
        if (!this.skip(ESCAPE)) return false;
      } else if (this.text.charCodeAt(this.at) < FIRST_PRINTABLE) return false;
      else this.at += 1;
    }
    return false;
  }
}

type Expected = 'value' | 'first item' | 'key' | 'first key' | 'colon' | 'more';
