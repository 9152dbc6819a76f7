const CHECK_TIMEOUT_MS = 1_000;

type Check = () => boolean | Promise<boolean>;

/** What a process needs in order to work. Each part registers its own check; readiness is all of them. */
export class HealthChecks {
  private readonly checks = new Map<string, Check>();

  /** @param name the dependency as an operator knows it, for example `postgres` */
  register(name: string, check: Check): void {
    this.checks.set(name, check);
  }

  /** The dependencies that do not answer within a second, in the order of registration. */
  async failing(): Promise<string[]> {
    const results = await Promise.all(
      [...this.checks].map(async ([name, check]) => ({ name, well: await answersInTime(check) })),
    );
    return results.filter(({ well }) => !well).map(({ name }) => name);
  }
}

async function answersInTime(check: Check): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, CHECK_TIMEOUT_MS, false);
  });
  try {
    return await Promise.race([Promise.resolve().then(check), tooLate]);
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}
