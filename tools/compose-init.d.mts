export const SECRETS: Readonly<Record<string, () => string>>;
export function writeSecrets(folder: string): Promise<string[]>;
