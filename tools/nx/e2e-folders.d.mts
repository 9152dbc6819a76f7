export function foldersOf(suite: string, root?: string): string[];
