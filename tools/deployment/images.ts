/** `name:1.2.3@sha256:…`: the version is for people, and the digest decides, since a tag may be given to another image. */
const LOCKED = /^[\w./-]+:v?\d+\.\d+[\w.-]*@sha256:[0-9a-f]{64}$/;

/** What is built here has no digest before it is built. */
const OWN = /^loci\/[\w-]+:\d+\.\d+\.\d+$/;

/** @returns what is wrong with the name of an image, or undefined */
export const looseness = (image: string): string | undefined =>
  OWN.test(image) || LOCKED.test(image) ? undefined : `${image} is not pinned to a version and a digest`;
