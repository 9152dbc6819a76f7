/** A package of a bill of materials, as CycloneDX has it. */
export interface Component {
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly [field: string]: unknown;
}

export interface Bom {
  readonly bomFormat: string;
  readonly specVersion: string;
  readonly serialNumber: string;
  readonly metadata: { readonly component: Component; readonly [field: string]: unknown };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
}

export function sbomOfProduct(root: string): Promise<Bom>;
export function sbomOfImage(
  product: Bom,
  app: string,
  packages: readonly { readonly name: string; readonly version: string }[],
): Bom;
