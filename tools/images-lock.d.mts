export function imagesByVariable(): Promise<ReadonlyMap<string, string>>;
export function unlockedComponent(): Promise<string>;
