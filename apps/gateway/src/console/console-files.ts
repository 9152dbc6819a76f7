import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Injectable, NotFoundException } from '@nestjs/common';
import { StaticFiles } from '../http/static-files.js';

/** Found, not imported: it is a page for browsers. */
const CONSOLE = join(dirname(createRequire(import.meta.url).resolve('@loci/console/package.json')), 'dist');

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Names that the build gives: they change with the content. */
const ASSET = /^[\w-]+(\.[\w-]+)*\.(js|css|svg)$/;

/** What the build puts where the page is to have a number used once. */
const NONCE = 'LOCI_NONCE';

/** A file as it is sent. */
export interface ConsoleFile {
  readonly type: string;
  readonly bytes: Buffer;
  readonly gzipped: Buffer;
}

/** The files of the console, as `npm run build` leaves them. */
@Injectable()
export class ConsoleFiles {
  private readonly pages = new StaticFiles(CONSOLE, (bytes) => bytes.toString());
  private readonly assets = new StaticFiles(join(CONSOLE, 'assets'), compressed);

  /**
   * The page of every view.
   * @returns its markup, and the number by which its policy allows the styles that its scripts make
   * @throws NotFoundException while it is not built
   */
  async index(): Promise<{ readonly html: string; readonly nonce: string }> {
    const page = await this.pages.read('index.html').catch(() => {
      throw new NotFoundException('The console is not built; run npm run build.');
    });
    const nonce = randomBytes(16).toString('base64');
    return { html: page.replaceAll(NONCE, nonce), nonce };
  }

  /** @throws NotFoundException for a name that the build has not given */
  async asset(name: string): Promise<ConsoleFile> {
    if (!ASSET.test(name)) throw new NotFoundException();
    return this.assets.read(name).catch(() => {
      throw new NotFoundException();
    });
  }
}

const compressed = async (bytes: Buffer, name: string): Promise<ConsoleFile> => ({
  type: TYPES[extname(name)] ?? '',
  bytes,
  gzipped: await promisify(gzip)(bytes, { level: 9 }),
});
