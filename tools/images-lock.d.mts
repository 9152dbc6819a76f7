export function filesWithImages(): Promise<string[]>;
export function lockedAnew(text: string, digestOf: (image: string) => string): string;
