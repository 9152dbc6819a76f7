/** Lets one loop sleep until it is rung. A ring while it is awake is not lost: the next sleep ends at once. */
export class WakeUp {
  private rung = false;
  private end: (() => void) | undefined;

  ring(): void {
    this.rung = true;
    this.end?.();
  }

  /** @returns whether it was rung */
  async sleep(maxMs: number): Promise<boolean> {
    if (!this.rung) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, maxMs);
        this.end = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    const wasRung = this.rung;
    this.rung = false;
    this.end = undefined;
    return wasRung;
  }
}
