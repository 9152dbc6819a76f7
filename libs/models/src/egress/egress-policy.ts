/** Which addresses models may be reached at. Link-local, metadata, unspecified and multicast ones never. */
export interface EgressPolicy {
  /** Also loopback and private networks: for models that run on this machine or in this cluster. */
  readonly allowPrivate: boolean;
}
