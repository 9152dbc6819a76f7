// A Helm chart from the manifests that Kustomize makes: what differs between installations becomes a value. Values that are
// expressions are marked while they are part of an object, and written as they are afterwards.
import { stringify } from 'yaml';

const marked = (expression) => `@<${expression}>@`;
const text = (path) => marked(`.Values.${path}`);
const number = (path) => `@#.Values.${path}#@`;

/** Helm writes a million and more as `1e+06`. */
const long = (path) => number(`${path} | int64`);

/** A whole block. */
const block = (path, indent) => marked(`toYaml .Values.${path} | nindent ${indent}`);

/** `config-service` as a name in values. */
export const camel = (name) => name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase());

/** The hash that Kustomize ends a name with; Helm has a checksum instead. */
const unhashed = (name) => name.replace(/^(loci-settings)-[a-z0-9]{10}$/, '$1');

const CHECKSUM = marked('toYaml .Values.settings | sha256sum');

/** What an installation may do without, by kind. */
const SWITCHES = {
  PriorityClass: 'priorityClasses.create',
  NetworkPolicy: 'networkPolicies.enabled',
  Ingress: 'ingress.enabled',
  ScaledObject: 'keda.enabled',
  CronJob: 'backup.enabled',
  PersistentVolumeClaim: 'backup.enabled',
  PodMonitor: 'monitoring.enabled',
  PrometheusRule: 'monitoring.enabled',
};

/** Groups of alerts; those about servers are for who runs them in the cluster. */
const ALERTS = ['loci', 'loci-backup-files'];

const switchOf = ({ kind, metadata: { name } }) => (name === 'closed' ? 'ingress.enabled' : SWITCHES[kind]);

/** What pods are told apart by. */
const NAME = 'app.kubernetes.io/name';
/** What pods of servers are told apart by. */
const SERVER = 'loci.dev/server';

const isOfAll = (selector) => Object.keys(selector).length === 0;

/** Servers and what else runs in the namespace of a release are no part of it: who runs them restricts them, or does not. */
const isPolicyOfOthers = ({ kind, spec }) => {
  if (kind !== 'NetworkPolicy' || isOfAll(spec.podSelector)) return false;
  const { matchLabels = {}, matchExpressions = [] } = spec.podSelector;
  return !(NAME in matchLabels || matchExpressions.some(({ key }) => key === NAME));
};

/** What is made with servers, or by Helm itself. */
const isLeftOut = (object) =>
  object.kind === 'Namespace' ||
  (object.kind === 'PodMonitor' && object.metadata.name !== 'loci') ||
  isPolicyOfOthers(object);

/** Before everything else, at an installation and at an upgrade: a failed one leaves the former version running. */
const hook = (weight) => ({
  'helm.sh/hook': 'pre-install,pre-upgrade',
  'helm.sh/hook-weight': String(weight),
  'helm.sh/hook-delete-policy': 'before-hook-creation',
});

function imageOf(image) {
  const [, app] = /^loci\/([\w-]+):/.exec(image) ?? [];
  if (!app) throw new Error(`${image} is no image of ours.`);
  return marked(
    `printf "%s/%s:%s" .Values.image.registry "${app}" (.Values.image.tag | default .Chart.AppVersion)`,
  );
}

/** Argo CD takes the hooks of Helm for its own, unless it finds some of its own. */
function withoutArgoCd(metadata) {
  const rest = Object.entries(metadata.annotations ?? {}).filter(([key]) => !key.startsWith('argocd.'));
  if (rest.length > 0) metadata.annotations = Object.fromEntries(rest);
  else delete metadata.annotations;
}

/** A policy is about our own pods, wherever their servers are. @param names of our pods */
function templatePolicy({ spec }, values, names) {
  if (isOfAll(spec.podSelector))
    spec.podSelector = { matchExpressions: [{ key: NAME, operator: 'In', values: names }] };
  for (const rule of spec.egress ?? []) {
    const server = rule.to[0].podSelector?.matchLabels?.[SERVER];
    if (server === undefined) continue;
    values.networkPolicies[server] = rule.to;
    rule.to = block(`networkPolicies.${server}`, 8);
  }
}

/**
 * Turns an object into the one of the chart.
 * @param values what its values are, which is added to
 * @param names of our pods
 */
function templated(object, values, names) {
  const { kind, metadata } = object;
  const key = camel(metadata.name);
  delete metadata.namespace;
  withoutArgoCd(metadata);
  const isPart = kind === 'Deployment' || kind === 'Job' || kind === 'CronJob';
  if (isPart) {
    const pod = (kind === 'CronJob' ? object.spec.jobTemplate.spec : object.spec).template;
    const [container] = pod.spec.containers;
    container.image = imageOf(container.image);
    for (const { configMapRef } of container.envFrom ?? [])
      if (configMapRef) configMapRef.name = unhashed(configMapRef.name);
    (values[key] ??= {}).resources = container.resources;
    container.resources = block(`${key}.resources`, kind === 'CronJob' ? 16 : 12);
    // nothing of the chart is there yet when they run
    if (kind === 'Job') delete pod.spec.priorityClassName;
    if (kind === 'Job') {
      metadata.annotations = hook(0);
      values.migrations.activeDeadlineSeconds = object.spec.activeDeadlineSeconds;
      object.spec.activeDeadlineSeconds = long('migrations.activeDeadlineSeconds');
    }
    if (kind === 'Deployment') pod.metadata.annotations = { 'checksum/settings': CHECKSUM };
    if (object.spec.replicas !== undefined) {
      values[key].replicas = object.spec.replicas;
      object.spec.replicas = number(`${key}.replicas`);
    }
  }
  if (kind === 'Deployment') {
    const variables = object.spec.template.spec.containers[0].env;
    for (const variable of variables.filter(({ name }) => name === 'TRUSTED_PROXIES')) {
      values[key].trustedProxies = variable.value;
      // a gateway that anyone reaches is told an address by anyone
      const isBehindProxy = '(or .Values.ingress.enabled .Values.networkPolicies.enabled)';
      variable.value = marked(`ternary .Values.${key}.trustedProxies "" ${isBehindProxy}`);
    }
  }
  if (kind === 'CronJob') {
    values[key].schedule = object.spec.schedule;
    object.spec.schedule = text(`${key}.schedule`);
  }
  if (kind === 'PersistentVolumeClaim') {
    // backups outlive the switch that makes them, and the release
    metadata.annotations = { 'helm.sh/resource-policy': 'keep' };
    (values[key] ??= {}).size = object.spec.resources.requests.storage;
    object.spec.resources.requests.storage = text(`${key}.size`);
  }
  if (kind === 'ServiceAccount' && metadata.name === 'migrations') metadata.annotations = hook(-1);
  if (kind === 'HorizontalPodAutoscaler' || kind === 'ScaledObject') {
    const [least, most] =
      kind === 'ScaledObject' ? ['minReplicaCount', 'maxReplicaCount'] : ['minReplicas', 'maxReplicas'];
    Object.assign((values[key] ??= {}), { minReplicas: object.spec[least], maxReplicas: object.spec[most] });
    object.spec[least] = number(`${key}.minReplicas`);
    object.spec[most] = number(`${key}.maxReplicas`);
  }
  if (kind === 'ScaledObject') {
    for (const { metadata: trigger } of object.spec.triggers) {
      values.keda.natsMonitor = trigger.natsServerMonitoringEndpoint;
      trigger.natsServerMonitoringEndpoint = text('keda.natsMonitor');
    }
  }
  if (kind === 'ConfigMap' && unhashed(metadata.name) === 'loci-settings') {
    metadata.name = 'loci-settings';
    values.settings = object.data;
    object.data = block('settings', 2);
  }
  if (kind === 'NetworkPolicy') templatePolicy(object, values, names);
  if (kind === 'PrometheusRule') {
    object.spec.groups = object.spec.groups.filter(({ name }) => ALERTS.includes(name));
    for (const rule of object.spec.groups.flatMap(({ rules }) => rules))
      rule.expr = rule.expr.replaceAll('namespace="loci"', `namespace="${marked('.Release.Namespace')}"`);
  }
  if (kind === 'Ingress') {
    Object.assign(values.ingress, {
      className: object.spec.ingressClassName,
      host: object.spec.rules[0].host,
      annotations: metadata.annotations,
    });
    metadata.annotations = block('ingress.annotations', 4);
    object.spec.ingressClassName = text('ingress.className');
    object.spec.rules[0].host = text('ingress.host');
    object.spec.tls[0].hosts = [text('ingress.host')];
  }
  return object;
}

/** Go templates would read what Prometheus fills in. */
const escaped = (text) => text.replaceAll('{{', '{{ "{{" }}');

/** Helm reads YAML 1.1, where `off` is no text. */
export const YAML_OF_HELM = { lineWidth: 0, version: '1.1' };

const written = (object) =>
  escaped(stringify(object, YAML_OF_HELM))
    .replace(/: (["']?)@<(toYaml .*? nindent \d+)>@\1/g, (_, quote, expression) => `: {{- ${expression} }}`)
    .replace(/(["'])@#(.*?)#@\1/g, (_, quote, expression) => `{{ ${expression} }}`)
    .replace(/@<(.*?)>@/g, (_, expression) => `{{ ${expression.replaceAll('\\"', '"')} }}`);

/**
 * The templates and the values of the chart.
 * @param manifests as Kustomize makes them; they are changed
 */
export function chartOf(manifests) {
  const values = {
    image: { registry: 'loci', tag: '' },
    settings: {},
    priorityClasses: { create: true },
    networkPolicies: { enabled: true },
    ingress: { enabled: false },
    monitoring: { enabled: false },
    keda: { enabled: false },
    backup: { enabled: false },
    migrations: {},
  };
  const files = {};
  const names = manifests
    .filter(({ kind }) => ['Deployment', 'Job', 'CronJob'].includes(kind))
    .map(({ metadata }) => metadata.name)
    .sort();
  for (const object of manifests.filter((one) => !isLeftOut(one))) {
    const enabled = switchOf(object);
    const text = written(templated(object, values, names));
    const guarded = enabled ? `{{- if .Values.${enabled} }}\n${text}{{- end }}\n` : text;
    const name = `${unhashed(object.metadata.name)}-${object.kind.toLowerCase()}.yaml`;
    files[name] = guarded;
  }
  return { files, values };
}

/** A JSON schema that takes the values, and others of the same types, and no key that is not there. */
export function schemaOf(values) {
  // a policy that names no peer lets everything through
  if (Array.isArray(values)) return { type: 'array', minItems: 1, items: { type: 'object' } };
  if (values === null || typeof values !== 'object') {
    return Number.isInteger(values) ? { type: 'integer', minimum: 0 } : { type: typeof values };
  }
  return {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(Object.entries(values).map(([key, one]) => [key, schemaOf(one)])),
  };
}
