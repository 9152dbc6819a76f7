import { LRUCache } from 'lru-cache';

/** What was read, and which of its revisions that was. */
export interface Revised<Value> {
  readonly revision: number;
  readonly value: Value;
}

/** Spares reading what has not changed, for those who have just read its revision. What is asked for last is kept for longest. */
export class RememberedRevisions<Value extends object> {
  private readonly remembered: LRUCache<string, Revised<Value>>;
  private readonly reading = new Map<string, Promise<Revised<Value> | undefined>>();

  /**
   * @param maxBytes of all that is kept
   * @param bytesOf how many one of them takes, about
   */
  constructor(maxBytes: number, bytesOf: (value: Value) => number) {
    this.remembered = new LRUCache<string, Revised<Value>>({
      maxSize: maxBytes,
      sizeCalculation: ({ value }) => bytesOf(value),
    });
  }

  /** Those who ask while it is read wait for that one. @param read undefined when there is nothing of the name */
  async find(name: string, revision: number, read: () => Promise<Revised<Value>>): Promise<Value>;
  async find(
    name: string,
    revision: number,
    read: () => Promise<Revised<Value> | undefined>,
  ): Promise<Value | undefined>;
  async find(
    name: string,
    revision: number,
    read: () => Promise<Revised<Value> | undefined>,
  ): Promise<Value | undefined> {
    const known = this.remembered.get(name);
    if (known?.revision === revision) return known.value;
    const underWay = this.reading.get(`${revision} ${name}`);
    // what failed may have run out of the time of another request
    const found = underWay ? await underWay.catch(read) : await this.read(name, revision, read);
    return found?.value;
  }

  private async read(
    name: string,
    revision: number,
    read: () => Promise<Revised<Value> | undefined>,
  ): Promise<Revised<Value> | undefined> {
    const key = `${revision} ${name}`;
    const reading = read();
    this.reading.set(key, reading);
    try {
      const found = await reading;
      if (found) this.remembered.set(name, found);
      else this.remembered.delete(name);
      return found;
    } finally {
      this.reading.delete(key);
    }
  }
}
