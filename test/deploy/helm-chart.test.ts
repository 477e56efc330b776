import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse as renderTemplate } from '@evertdespiegeleer/go-template';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { loadConfig } from '../../server/config/load-config.ts';
import { root } from './monitoring-files.ts';

const chart = join(root, 'deploy/helm/tollfree');
const exampleConfig = readFileSync(join(root, 'deploy/kubernetes-cluster/tollfree.json'), 'utf8');
/** Quotes, a backslash, a line break and what is no ASCII: all that a comment in the file may hold. */
const config = `// "Gas" for C:\\shop – ümläut\n${exampleConfig}`;

const objectSchema = z.looseObject({
  kind: z.string(),
  metadata: z.object({ name: z.string(), namespace: z.string(), labels: z.record(z.string(), z.string()) }),
  spec: z.record(z.string(), z.unknown()).optional(),
  data: z.record(z.string(), z.string()).optional(),
});

type Values = Record<string, unknown>;
const defaults: Values = parse(readFileSync(join(chart, 'values.yaml'), 'utf8'));
const valuesSchema = z.fromJSONSchema(JSON.parse(readFileSync(join(chart, 'values.schema.json'), 'utf8')));

/** The templates by Go's template engine, with the chart's own values and others. A value that is not there is an error of it. */
async function render(over: Values = {}) {
  const given = {
    Values: valuesSchema.parse({ ...defaults, config, ...over }),
    Release: { Name: 'gas', Namespace: 'wallets', Revision: 3 },
  };
  const names = readdirSync(join(chart, 'templates'));
  const texts = await Promise.all(
    names.map((name) => renderTemplate(readFileSync(join(chart, 'templates', name), 'utf8'), given)),
  );
  return texts
    .flatMap((text) => parseAllDocuments(text, { merge: true, strict: true }))
    .map((document) => {
      expect(document.errors).toEqual([]);
      return objectSchema.parse(document.toJS());
    });
}

let objects: Awaited<ReturnType<typeof render>>;
beforeAll(async () => {
  objects = await render();
});

const podOf = (spec: unknown) =>
  z
    .object({ template: z.object({ spec: z.looseObject({ volumes: z.array(z.looseObject({ name: z.string() })) }) }) })
    .parse(spec).template.spec;

const labels = { 'app.kubernetes.io/name': 'tollfree', 'app.kubernetes.io/instance': 'gas' };

test('renders one of each, all in the namespace, with its labels and named after the release', () => {
  expect(objects.map(({ kind }) => kind).toSorted()).toEqual([
    'ConfigMap',
    'Deployment',
    'NetworkPolicy',
    'PodDisruptionBudget',
    'Service',
    'Service',
  ]);
  expect(objects.map(({ metadata: { name: _, ...rest } }) => rest)).toEqual(
    objects.map(() => ({ namespace: 'wallets', labels })),
  );
  expect(objects.filter(({ metadata }) => !/^gas(-|$)/.test(metadata.name))).toEqual([]);
});

test('hands the configuration on as it is, to the last letter', () => {
  const map = objects.find(({ kind }) => kind === 'ConfigMap');
  expect(map?.data).toEqual({ 'tollfree.json': config });
  const folder = mkdtempSync(join(tmpdir(), 'tollfree-helm-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'tollfree.json'), map?.data?.['tollfree.json'] ?? '');
  expect(loadConfig({ config: join(folder, 'tollfree.json') }, {}).chains?.map(({ chainId }) => chainId)).toEqual([
    11_155_111,
  ]);
});

test('runs the pods that the Kustomize files run', () => {
  const ofKustomize = parse(readFileSync(join(root, 'deploy/kubernetes/stateful-set.yaml'), 'utf8'), { merge: true });
  const expected = podOf(ofKustomize.spec);
  const rendered = podOf(objects.find(({ kind }) => kind === 'Deployment')?.spec);
  for (const key of ['automountServiceAccountToken', 'enableServiceLinks']) expect(rendered[key]).toBe(expected[key]);
  expect(rendered.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
  const containerSchema = z.array(z.looseObject({ image: z.string() }));
  const [init] = containerSchema.parse(rendered.initContainers);
  const [expectedInit] = containerSchema.parse(expected.initContainers);
  expect({ ...init, image: '' }).toEqual({ ...expectedInit, image: '' });
  const [container] = containerSchema.parse(rendered.containers);
  const [expectedContainer] = containerSchema.parse(expected.containers);
  for (const key of ['args', 'ports', 'startupProbe', 'livenessProbe', 'readinessProbe', 'securityContext']) {
    expect({ key, value: container?.[key] }).toEqual({ key, value: expectedContainer?.[key] });
  }
});

test('replaces one replica after another, and every selector is that of the pods', () => {
  const deployment = objects.find(({ kind }) => kind === 'Deployment');
  expect(deployment?.spec).toMatchObject({ replicas: 3, strategy: { rollingUpdate: { maxUnavailable: 0 } } });
  expect(deployment?.spec).toMatchObject({
    template: { metadata: { labels, annotations: { 'tollfree/revision': '3' } } },
  });
  for (const { kind, spec } of objects.filter(({ spec }) => spec !== undefined)) {
    const selector =
      kind === 'Service'
        ? { selector: labels }
        : { [kind === 'NetworkPolicy' ? 'podSelector' : 'selector']: { matchLabels: labels } };
    expect({ kind, ...spec }).toMatchObject(selector);
  }
});

test('takes values of every kind that Kubernetes takes: a number is a number, a name of digits is a name', async () => {
  const rendered = await render({
    image: 'registry.example:5000/tollfree@sha256:ab',
    keysSecret: '123',
    monitoringNamespace: '42',
    replicas: 1,
    serviceAccountName: '7',
    terminationGracePeriodSeconds: 90,
    ports: { http: 8_080, admin: 9_000 },
    resources: { cpu: 2, memory: 536_870_912, memoryLimit: '1Gi' },
  });
  const of = (kind: string) => rendered.filter((object) => object.kind === kind).map(({ spec }) => spec);
  const [deployment] = of('Deployment');
  expect(deployment?.replicas).toBe(1);
  expect(podOf(deployment)).toMatchObject({
    serviceAccountName: '7',
    terminationGracePeriodSeconds: 90,
    containers: [
      {
        image: 'registry.example:5000/tollfree@sha256:ab',
        ports: [{ containerPort: 8_080 }, { containerPort: 9_000 }],
        resources: { requests: { cpu: 2, memory: 536_870_912 }, limits: { memory: '1Gi' } },
      },
    ],
    volumes: expect.arrayContaining([expect.objectContaining({ secret: { secretName: '123', defaultMode: 440 } })]),
  });
  expect(of('Service')).toMatchObject([{ ports: [{ port: 8_080 }] }, { ports: [{ port: 9_000 }] }]);
  expect(of('NetworkPolicy')).toMatchObject([
    {
      ingress: [
        { ports: [{ port: 8_080 }] },
        {
          from: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': '42' } } }],
          ports: [{ port: 9_000 }],
        },
      ],
    },
  ]);
});

test('has a schema by which Helm refuses a missing configuration and values that the chart does not have', () => {
  const refusalOf = (over: Values) => valuesSchema.safeParse({ ...defaults, config, ...over }).error?.issues[0];
  expect(valuesSchema.safeParse(defaults).error?.issues).toMatchObject([{ path: ['config'], code: 'too_small' }]);
  expect(refusalOf({ replica: 2 })).toMatchObject({ code: 'unrecognized_keys', keys: ['replica'] });
  expect(refusalOf({ replicas: 0 })).toMatchObject({ path: ['replicas'] });
  expect(Object.keys(defaults).filter((key) => refusalOf({ [key]: {} }) === undefined)).toEqual(['resources', 'ports']);
});
