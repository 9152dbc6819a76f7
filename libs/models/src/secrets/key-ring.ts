const KEY_BYTES = 32;
const KEY_ID = /^[A-Za-z0-9_-]{1,32}$/;

/** The keys that secrets are sealed with. The first is the current one; the others still open what they sealed. */
export class KeyRing {
  private constructor(
    readonly currentId: string,
    private readonly keys: ReadonlyMap<string, Buffer>,
  ) {}

  /**
   * @param text `id:base64key[,id2:base64key2...]`, each key 32 bytes (`openssl rand -base64 32`)
   * @throws Error that says what is wrong without repeating a key
   */
  static parse(text: string): KeyRing {
    const entries = text.split(',').map((entry, index) => parseEntry(entry.trim(), index + 1));
    const keys = new Map(entries);
    if (keys.size < entries.length) throw new Error('The key ring has two keys with the same id.');
    const [[currentId] = ['']] = entries;
    return new KeyRing(currentId, keys);
  }

  get(id: string): Buffer | undefined {
    return this.keys.get(id);
  }
}

function parseEntry(entry: string, position: number): [string, Buffer] {
  const separator = entry.indexOf(':');
  const id = entry.slice(0, Math.max(separator, 0));
  const key = Buffer.from(entry.slice(separator + 1), 'base64');
  if (!KEY_ID.test(id)) {
    throw new Error(
      `Key ${position} of the key ring must be written id:base64, the id of letters, digits, _ and -.`,
    );
  }
  if (key.length !== KEY_BYTES) {
    throw new Error(`Key '${id}' of the key ring must be ${KEY_BYTES} bytes in base64.`);
  }
  return [id, key];
}
