const WIDTH = 30;

/** A bar on standard error, so that standard output contains only results; one line per tenth without a terminal. */
export class Progress {
  private done = 0;
  private shownTenths = -1;

  constructor(
    private readonly what: string,
    private readonly total: number,
  ) {}

  advance(by = 1): void {
    this.done += by;
    const share = Math.min(1, this.done / Math.max(1, this.total));
    const { stderr } = process;
    if (stderr.isTTY) {
      const filled = Math.round(share * WIDTH);
      const bar = '█'.repeat(filled) + '░'.repeat(WIDTH - filled);
      stderr.write(`\r${this.what} ${bar} ${this.done}/${this.total}${share === 1 ? '\n' : ''}`);
      return;
    }
    const tenths = Math.floor(share * 10);
    if (tenths > this.shownTenths) stderr.write(`${this.what} ${this.done}/${this.total}\n`);
    this.shownTenths = tenths;
  }
}
