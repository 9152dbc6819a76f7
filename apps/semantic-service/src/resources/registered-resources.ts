/** Which models a set may name. Also the injection token. */
export abstract class RegisteredResources {
  abstract hasEmbedder(name: string): boolean;
  abstract hasLanguageModel(name: string): boolean;
}

/** The embedder that every deployment has, and no language model. */
export class EmbeddedResources extends RegisteredResources {
  override hasEmbedder(name: string): boolean {
    return name === 'local';
  }

  override hasLanguageModel(): boolean {
    return false;
  }
}
