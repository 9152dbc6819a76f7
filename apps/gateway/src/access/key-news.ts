/** Keys whose news are remembered. */
const MAX_REMEMBERED = 10_000;

/**
 * Which keys changed when, to tell whether an answer about one is older than the news of its end. Only the key that
 * changed is in doubt: otherwise a tenant that rotates keys without a pause would keep gateways from remembering any.
 */
export class KeyNews {
  private readonly changedAt = new Map<string, number>();
  /** News at or before this moment may be of any key. */
  private blurredUntil = 0;
  private last = 0;

  /** The moment, in numbers of news. */
  now(): number {
    return this.last;
  }

  changed(keyId: string): void {
    this.last += 1;
    this.changedAt.delete(keyId);
    this.changedAt.set(keyId, this.last);
    const [oldest] = this.changedAt;
    if (this.changedAt.size <= MAX_REMEMBERED || !oldest) return;
    this.changedAt.delete(oldest[0]);
    this.blurredUntil = oldest[1];
  }

  /** News may have been missed. */
  missed(): void {
    this.last += 1;
    this.changedAt.clear();
    this.blurredUntil = this.last;
  }

  /** Whether a key may have changed since. */
  isOlder(moment: number, keyId: string): boolean {
    return moment < this.blurredUntil || moment < (this.changedAt.get(keyId) ?? 0);
  }
}
