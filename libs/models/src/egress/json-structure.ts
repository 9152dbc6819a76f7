const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** No provider nests its replies, and no schema of ours its objects, nearly as deep. */
const MAX_DEPTH = 64;

/** A reply has one for each text that was embedded or ranked, and each command of a model: a few thousand at most. */
const MAX_CONTAINERS = 50_000;
const MAX_FIELDS = 100_000;

/**
 * Follows JSON in UTF-8 while it arrives, before anything is built from it: one byte makes a list, which then takes thirty
 * times that memory, and half a second of the process for each ten million. What is not JSON does no harm here.
 */
export class JsonStructure {
  private isInText = false;
  private isEscaped = false;
  private depth = 0;
  private containers = 0;
  private fields = 0;

  /** @returns what is too much in what has arrived so far, in words that follow "JSON that"; undefined = nothing */
  excessIn(chunk: Uint8Array): string | undefined {
    for (const byte of chunk) {
      if (this.isEscaped) this.isEscaped = false;
      else if (byte === QUOTE) this.isInText = !this.isInText;
      else if (this.isInText) this.isEscaped = byte === BACKSLASH;
      else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
        this.depth += 1;
        this.containers += 1;
        if (this.depth > MAX_DEPTH) return `is nested deeper than ${MAX_DEPTH} levels`;
        if (this.containers > MAX_CONTAINERS) return `has more than ${MAX_CONTAINERS} objects and lists`;
      } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) this.depth -= 1;
      else if (byte === COLON) {
        this.fields += 1;
        if (this.fields > MAX_FIELDS) return `has more than ${MAX_FIELDS} fields of objects`;
      }
    }
    return undefined;
  }
}
