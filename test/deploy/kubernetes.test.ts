import { readFileSync } from 'node:fs';
import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { operationsRoutes } from '#server/platform/http/operations-routes.ts';
import type { Metrics } from '#server/platform/metrics.ts';
import { constantOf, KNOWN_SETTINGS, MAX_ANSWER_MS, stopMs } from './known-settings.ts';
import { schemas } from './manifest-schemas.ts';
import { manifestFaults, manifestFiles, manifestText, parseManifests } from './manifests.ts';
import { restrictedFaults } from './pod-security.ts';

const DOCKERFILE = readFileSync('Dockerfile', 'utf8');
const all = manifestFiles().flatMap((file) => parseManifests(manifestText(file)));
const NAMES = ['parley', 'browser'];

function find<K extends keyof typeof schemas>(kind: K, name: string) {
  const found = all.find((one) => one.kind === kind && one.metadata.name === name);
  return schemas[kind].parse(found) as ReturnType<(typeof schemas)[K]['parse']>;
}
const podOf = (name: string) => find('Deployment', name).spec.template.spec;
function containerOf(name: string) {
  const [container] = podOf(name).containers;
  if (!container) throw new Error(`${name} has no container`);
  return container;
}
const settings = find('ConfigMap', 'parley').data;

describe('manifests of Kubernetes', () => {
  it.for(all.map((one) => [one.kind, one.metadata.name, one] as const))(
    '%s %s fits the schema of its kind',
    async ([, , manifest]) => {
      expect(await manifestFaults(manifest)).toEqual([]);
    },
  );

  it.for([
    ['misspelt', 'livenessProbe:', 'livnessProbe:', '/spec/template/spec/containers/0/livnessProbe'],
    ['of another type', 'replicas: 2', 'replicas: two', '/spec/replicas'],
    ['missing', '- name: server\n          image', '- image', '/spec/template/spec/containers/0'],
  ] as const)('are found out where a field is %s', async ([, from, to, path]) => {
    const [changed] = parseManifests(manifestText('server.yaml').replace(from, to));
    const faults = changed ? await manifestFaults(changed) : [];
    expect(faults.map((fault) => fault.split(':')[0])).toContain(path);
  });

  it('are all in the kustomization, those for Computer Use to be chosen', () => {
    const [kustomization] = parseManifests(manifestText('kustomization.yaml'));
    const { resources, images } = schemas.Kustomization.parse(kustomization);
    expect([...resources, 'browser.yaml'].sort()).toEqual(manifestFiles().sort());
    expect(manifestText('kustomization.yaml')).toContain('# - browser.yaml');
    expect(images.map(({ name }) => name).sort()).toEqual(
      NAMES.map((name) => containerOf(name).image).sort(),
    );
  });

  it('lead to each other by names that there are', () => {
    for (const name of NAMES) {
      const { labels } = find('Deployment', name).spec.template.metadata;
      const service = find('Service', name).spec;
      expect(service.selector).toEqual(labels);
      expect(containerOf(name).ports.map((port) => port.name)).toEqual(
        service.ports.map(({ targetPort }) => targetPort),
      );
    }
    const labelsOf = (name: string) => find('Deployment', name).spec.template.metadata.labels;
    expect(find('PodDisruptionBudget', 'parley').spec.selector.matchLabels).toEqual(labelsOf('parley'));
    expect(find('NetworkPolicy', 'browser').spec.podSelector.matchLabels).toEqual(labelsOf('browser'));
    const [rule] = find('Ingress', 'parley').spec.rules;
    const { name, port } = rule.http.paths[0].backend.service;
    expect(find('Service', name).spec.ports.map((one) => one.name)).toContain(port.name);
    expect(settings.PUBLIC_URL).toBe(`https://${rule.host}`);
  });
});

describe('the pods', () => {
  it('of the server are restricted, on a root that cannot be written', () => {
    expect(restrictedFaults(find('Deployment', 'parley'))).toEqual([]);
    expect(containerOf('parley').securityContext.readOnlyRootFilesystem).toBe(true);
    expect(find('Namespace', 'parley').metadata).toMatchObject({
      labels: { 'pod-security.kubernetes.io/enforce': 'restricted' },
    });
  });

  it('of browsers are not in three points alone, which their walls need', () => {
    expect(restrictedFaults(find('Deployment', 'browser'))).toEqual([
      'seccompProfile',
      'appArmorProfile',
      'procMount',
    ]);
    expect(podOf('browser').hostUsers).toBe(false);
  });

  it.for([
    ['hostNetwork', { hostNetwork: true }, {}],
    ['hostPath', { volumes: [{ name: 'root', hostPath: { path: '/' } }] }, {}],
    ['runAsUser', {}, { runAsUser: 0 }],
    ['capabilities.drop', {}, { capabilities: {} }],
    ['allowPrivilegeEscalation', {}, { allowPrivilegeEscalation: undefined }],
  ] as const)('are not restricted with another %s', ([name, ofPod, ofContainer]) => {
    const copy = structuredClone(find('Deployment', 'parley'));
    Object.assign(copy.spec.template.spec, ofPod);
    Object.assign(copy.spec.template.spec.containers[0]?.securityContext ?? {}, ofContainer);
    expect(restrictedFaults(copy)).toEqual([name]);
  });

  it('are given settings that there are', () => {
    const env = (name: string) => containerOf(name).env.map((one) => one.name);
    const said = [...manifestText('settings.yaml').matchAll(/\b[A-Z]{2,}(?:_[A-Z0-9]+)+\b/g)].map(
      ([name]) => name,
    );
    const names = [...Object.keys(settings), ...env('parley'), ...env('browser'), ...said];
    expect(names.length).toBeGreaterThan(8);
    for (const name of names) expect([...KNOWN_SETTINGS.keys()]).toContain(name);
  });

  it('listen where their images do', () => {
    expect(DOCKERFILE).toMatch(new RegExp(`PORT=${containerOf('parley').ports[0]?.containerPort} `));
    expect(DOCKERFILE).toContain(
      `COMPUTER_HOST_LISTEN=0.0.0.0:${containerOf('browser').ports[0]?.containerPort}`,
    );
    const port = find('Service', 'browser').spec.ports[0]?.port;
    expect(manifestText('settings.yaml')).toContain(`COMPUTER_HOST: browser.parley-browser:${port}`);
  });

  it('are asked for their health where the server answers', async () => {
    const metrics = { registry: new Registry() } as Metrics;
    const routes = operationsRoutes({
      metrics,
      metricsToken: null,
      trustProxy: 0,
      isReady: async () => true,
    });
    const { startupProbe, readinessProbe, livenessProbe } = containerOf('parley');
    for (const probe of [startupProbe, readinessProbe, livenessProbe]) {
      expect((await routes.request(probe?.httpGet?.path ?? '/nowhere')).status).toBe(200);
    }
    const waits = constantOf('server/platform/http/operations-routes.ts', 'READY_TIMEOUT_MS');
    expect(readinessProbe.timeoutSeconds * 1_000).toBeGreaterThan(waits);
  });

  it('have longer to stop than the server takes', () => {
    const deadline = Number(settings.SHUTDOWN_DEADLINE_MS);
    const pause = (containerOf('parley').lifecycle?.preStop.sleep.seconds ?? Number.NaN) * 1_000;
    const given = podOf('parley').terminationGracePeriodSeconds * 1_000;
    expect(given).toBeGreaterThan(pause + stopMs(deadline));
    expect(deadline).toBeGreaterThan(MAX_ANSWER_MS);
  });

  it('of browsers have the memory that their runs may take', () => {
    const env = Object.fromEntries(containerOf('browser').env.map(({ name, value }) => [name, value]));
    const [, gigabytes] = /^(\d+)Gi$/.exec(containerOf('browser').resources.limits.memory ?? '') ?? [];
    expect(Number(gigabytes) * 1_024).toBeGreaterThan(
      Number(env.COMPUTER_RUNS) * Number(env.COMPUTER_MEMORY_MB),
    );
  });
});

it('the ingress waits as long and lets as much through as the nginx that is tested', () => {
  const nginx = readFileSync('deploy/nginx/parley.conf', 'utf8');
  const { annotations } = find('Ingress', 'parley').metadata;
  const shared = {
    client_max_body_size: 'nginx.org/client-max-body-size',
    proxy_read_timeout: 'nginx.org/proxy-read-timeout',
    proxy_connect_timeout: 'nginx.org/proxy-connect-timeout',
    keepalive: 'nginx.org/keepalive',
  };
  for (const [directive, annotation] of Object.entries(shared)) {
    expect(nginx).toMatch(new RegExp(`\\b${directive} ${annotations[annotation]};`));
  }
});
