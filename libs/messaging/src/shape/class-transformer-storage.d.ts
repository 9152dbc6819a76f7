// The library ships no types for this file. @nestjs/mapped-types relies on it in the same way.
declare module 'class-transformer/cjs/storage.js' {
  export const defaultMetadataStorage: {
    findTypeMetadata(
      target: new () => object,
      propertyName: string,
    ): { readonly typeFunction: () => new () => object } | undefined;
  };
}
