import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Files of a folder, each read and prepared once: answers that are not read are all of one buffer. */
export class StaticFiles<File> {
  private readonly files = new Map<string, Promise<File>>();

  /**
   * @param folder where they are
   * @param prepare makes of what is in a file, and its name, what is sent
   */
  constructor(
    private readonly folder: string,
    private readonly prepare: (bytes: Buffer, name: string) => File | Promise<File>,
  ) {}

  /**
   * @param name of a file that is meant to be served: each that is there stays in memory
   * @throws Error when it cannot be read
   */
  read(name: string): Promise<File> {
    const known = this.files.get(name);
    if (known) return known;
    const file = readFile(join(this.folder, name)).then((bytes) => this.prepare(bytes, name));
    this.files.set(name, file);
    file.catch(() => this.files.delete(name));
    return file;
  }
}
