export interface ShippedPackage {
  readonly name: string;
  readonly version: string;
  readonly license: string | undefined;
  readonly terms: readonly string[];
}

export function describePackage(folder: string): Promise<ShippedPackage>;
export function isAllowed(license: string | undefined): boolean;
export function noticesOf(title: string, packages: readonly ShippedPackage[]): string;
