export function imagesByVariable(): Promise<ReadonlyMap<string, string>>;
export function componentOf(digests: readonly (readonly [string, string])[]): string;
export function unlockedComponent(): Promise<string>;
