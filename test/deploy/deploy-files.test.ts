import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { loadConfig } from '../../server/config/load-config.ts';
import { isIgnored, readStages, textOf } from './image-stages.ts';
import { root } from './monitoring-files.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const yaml = (path: string): unknown => parse(read(path), { merge: true, strict: true });

/** A configuration as the program reads it. */
const load = (path: string) => loadConfig({ config: join(root, path) }, {});

/** The folders that a configuration names. */
function foldersOf(path: string): readonly string[] {
  const files = [...read(path).matchAll(/"(?:unix:)?(\/[a-z./-]+)"/g)].map(([, file = '']) => file);
  return [...new Set(files.map((file) => dirname(file)))];
}

const isWithin = (folder: string, mounts: readonly string[]) =>
  mounts.some((mount) => folder === mount || folder.startsWith(`${mount}/`));

describe('the configurations', () => {
  test.each([
    ...['config/node.json', 'config/core.json', 'config/gateway.json'],
    ...['kubernetes/tollfree.json', 'kubernetes-cluster/tollfree.json'],
  ])('deploy/%s is one', (path) => {
    expect(() => load(`deploy/${path}`)).not.toThrow();
  });

  test('of Kubernetes and Compose say the same, and core and gateway meet', () => {
    expect(JSON.parse(read('deploy/kubernetes/tollfree.json'))).toEqual(JSON.parse(read('deploy/config/node.json')));
    expect(load('deploy/config/gateway.json').core?.address).toEqual([load('deploy/config/core.json').grpc.listen]);
  });
});

describe('the image', () => {
  const stages = readStages();
  const last = (stages.at(-1) ?? []).map((instruction) => ({
    keyword: instruction.getKeyword(),
    text: textOf(instruction),
  }));

  test('has the Node.js that the package allows, pinned, in both stages', () => {
    const [, pinned = ''] = /^ARG NODE_VERSION=(\d+\.\d+\.\d+)$/m.exec(read('Dockerfile')) ?? [];
    const { engines } = z.object({ engines: z.object({ node: z.string() }) }).parse(JSON.parse(read('package.json')));
    const [, major = 0, minor = 0] = (/^>=(\d+)\.(\d+)$/.exec(engines.node) ?? []).map(Number);
    const [ownMajor = 0, ownMinor = 0] = pinned.split('.').map(Number);
    expect(ownMajor > major || (ownMajor === major && ownMinor >= minor)).toBe(true);
    expect(stages).toHaveLength(2);
    for (const [from] of stages) expect(from && textOf(from)).toMatch(/^\$\{NODE_IMAGE\}/);
    expect(read('Dockerfile')).toMatch(/^ARG NODE_IMAGE=node:\$\{NODE_VERSION\}-alpine$/m);
  });

  test('is not run as root, and looks at its health with what it has', () => {
    expect(last.filter(({ keyword }) => keyword === 'USER')).toEqual([{ keyword: 'USER', text: '1000:1000' }]);
    const health = last.find(({ keyword }) => keyword === 'HEALTHCHECK')?.text ?? '';
    expect(health).toContain('["node", "/app/healthcheck.mjs"]');
    expect(JSON.stringify(last)).not.toMatch(/curl|wget/);
  });

  test('is made of files that are there and that Docker may see', () => {
    const copied = stages
      .flat()
      .filter((instruction) => instruction.getKeyword() === 'COPY')
      .flatMap((instruction) => {
        const ofStage = instruction.toString().includes('--from=');
        const names = instruction.getArguments().map((argument) => argument.getValue());
        return names.slice(0, -1).map((name) => ({ name, ofStage }));
      });
    // Another stage is entered at its root, not where it worked.
    expect(copied.filter(({ name, ofStage }) => ofStage && !name.startsWith('/src/'))).toEqual([]);
    const ofContext = copied.filter(({ name, ofStage }) => !ofStage && name !== '.').map(({ name }) => name);
    expect(ofContext.length).toBeGreaterThan(3);
    expect(ofContext.filter((name) => !existsSync(join(root, name)) || isIgnored(name))).toEqual([]);
  });

  test('holds no keys, no database and nothing of tests', () => {
    const closed = [
      'master.key',
      'deploy/keys/signer.json',
      '.tollfree/x',
      'data/tollfree.db-wal',
      'test/a.test.ts',
      'clients/sdk/dist/index.js',
      'node_modules/x',
    ];
    expect(closed.filter((path) => !isIgnored(path))).toEqual([]);
    const needed = ['tools/build/compile-program.ts', 'core/local.ts', 'contract/limits.ts'];
    expect(needed.filter(isIgnored)).toEqual([]);
  });
});

const serviceSchema = z.object({
  read_only: z.literal(true),
  init: z.literal(true),
  cap_drop: z.tuple([z.literal('ALL')]),
  security_opt: z.tuple([z.literal('no-new-privileges:true')]),
  restart: z.literal('unless-stopped'),
  stop_grace_period: z.string(),
  tmpfs: z.array(z.string()),
  volumes: z.array(z.string().regex(/^[^:]+:\/[^:]+(:ro)?$/)),
  ports: z.array(z.string().startsWith('127.0.0.1:')).optional(),
  command: z.array(z.string()).optional(),
});
const composeSchema = z.object({
  services: z.record(z.string(), serviceSchema),
  volumes: z.record(z.string(), z.unknown()),
});

describe.each(['node', 'split'])('deploy/compose/%s.yaml', (name) => {
  const path = `deploy/compose/${name}.yaml`;
  const compose = composeSchema.parse(yaml(path));
  const services = Object.entries(compose.services);

  test('mounts what there is, and every folder that a configuration names', () => {
    for (const [, { volumes }] of services) {
      const mounts = volumes.map((volume) => volume.split(':'));
      for (const [source = '', target = ''] of mounts) {
        if (!source.startsWith('.')) expect(compose.volumes).toHaveProperty(source);
        if (!source.endsWith('.json')) continue;
        const config = join('deploy/compose', source);
        expect(existsSync(join(root, config))).toBe(true);
        const mounted = mounts.map(([, location = '']) => location);
        expect(foldersOf(config).filter((folder) => !isWithin(folder, mounted))).toEqual([]);
        expect(target).toMatch(/^\/etc\/tollfree\/\w+\.json$/);
      }
    }
  });

  test('starts each with a configuration that it mounts, and only one process has the database', () => {
    for (const [, { command = ['node', '--config', '/etc/tollfree/tollfree.json'], volumes }] of services) {
      expect(volumes.map((volume) => volume.split(':')[1])).toContain(command.at(-1));
    }
    expect(services.filter(([, { volumes }]) => volumes.some((volume) => volume.startsWith('data:')))).toHaveLength(1);
    const ports = services.flatMap(([, service]) => service.ports ?? []).map((port) => port.split(':')[1]);
    expect(new Set(ports).size).toBe(ports.length);
  });
});

const mountSchema = z.object({ name: z.string(), mountPath: z.string(), readOnly: z.boolean().optional() });
const probeSchema = z.object({ httpGet: z.object({ path: z.string(), port: z.string() }) });
const containerSchema = z.object({
  image: z.string(),
  securityContext: z.object({
    allowPrivilegeEscalation: z.literal(false),
    readOnlyRootFilesystem: z.literal(true),
    capabilities: z.object({ drop: z.tuple([z.literal('ALL')]) }),
  }),
  volumeMounts: z.array(mountSchema),
});
const setSchema = z.object({
  kind: z.literal('StatefulSet'),
  spec: z.object({
    replicas: z.literal(1),
    serviceName: z.string(),
    template: z.object({
      spec: z.object({
        securityContext: z.object({ runAsNonRoot: z.literal(true), runAsUser: z.literal(1000) }),
        terminationGracePeriodSeconds: z.int().min(15),
        initContainers: z.array(containerSchema),
        containers: z.tuple([
          containerSchema.extend({
            args: z.array(z.string()),
            ports: z.array(z.object({ name: z.string(), containerPort: z.int() })),
            startupProbe: probeSchema,
            livenessProbe: probeSchema,
            readinessProbe: probeSchema,
          }),
        ]),
        volumes: z.array(z.object({ name: z.string() })),
      }),
    }),
    volumeClaimTemplates: z.array(z.object({ metadata: z.object({ name: z.string() }) })),
  }),
});

describe('deploy/kubernetes', () => {
  const folder = 'deploy/kubernetes';
  const { spec } = setSchema.parse(yaml(`${folder}/stateful-set.yaml`));
  const pod = spec.template.spec;
  const [container] = pod.containers;

  test('names files that are there, and services of the ports that the pod has', () => {
    const { resources, configMapGenerator } = z
      .object({ resources: z.array(z.string()), configMapGenerator: z.array(z.object({ files: z.array(z.string()) })) })
      .parse(yaml(`${folder}/kustomization.yaml`));
    const files = [...resources, ...configMapGenerator.flatMap((generator) => generator.files)];
    expect(files.filter((file) => !existsSync(resolve(root, folder, file)))).toEqual([]);
    const services = parseAllDocuments(read(`${folder}/services.yaml`)).map((document) => document.toJS());
    expect(services.map(({ metadata }) => metadata.name)).toContain(spec.serviceName);
    const ports = container.ports.map(({ name, containerPort }) => [name, containerPort]);
    expect(services.flatMap(({ spec: { ports } }) => ports).map(({ targetPort, port }) => [targetPort, port])).toEqual(
      ports,
    );
  });

  test('asks for health on the admin port: live for restarts, ready for requests', () => {
    const paths = [container.startupProbe, container.livenessProbe, container.readinessProbe].map(
      ({ httpGet }) => httpGet,
    );
    expect(paths).toEqual(['/livez', '/livez', '/readyz'].map((path) => ({ path, port: 'admin' })));
  });

  test('mounts volumes that there are, and every folder that the configuration names', () => {
    const volumes = [...pod.volumes, ...spec.volumeClaimTemplates.map(({ metadata }) => metadata)].map(
      ({ name }) => name,
    );
    const mounts = [container, ...pod.initContainers].flatMap(({ volumeMounts }) => volumeMounts);
    expect(mounts.filter(({ name }) => !volumes.includes(name))).toEqual([]);
    const mounted = container.volumeMounts.map(({ mountPath }) => mountPath);
    expect(foldersOf(`${folder}/tollfree.json`).filter((location) => !isWithin(location, mounted))).toEqual([]);
    expect(isWithin(container.args.at(-1) ?? '', mounted)).toBe(true);
  });
});

/** How long the start of a new version may take, in seconds: `docs/cluster.md` has ten seconds for a million rows. */
const longMigration = 3_600;

test('a migration of many rows is not killed by the probe of the start', () => {
  const set = z
    .object({
      spec: z.object({
        template: z.object({
          spec: z.object({
            containers: z.tuple([
              z.object({ startupProbe: z.object({ periodSeconds: z.int(), failureThreshold: z.int() }) }),
            ]),
          }),
        }),
      }),
    })
    .parse(yaml('deploy/kubernetes/stateful-set.yaml'));
  const [{ startupProbe }] = set.spec.template.spec.containers;
  expect(startupProbe.periodSeconds * startupProbe.failureThreshold).toBeGreaterThanOrEqual(longMigration);
});

describe('deploy/kubernetes-cluster', () => {
  const folder = 'deploy/kubernetes-cluster';

  test('is the one node with several replicas on a database that they share', () => {
    const kustomization = z
      .object({
        resources: z.array(z.string()),
        configMapGenerator: z.tuple([z.object({ behavior: z.literal('replace'), files: z.array(z.string()) })]),
        patches: z.tuple([z.object({ path: z.string() })]),
      })
      .parse(yaml(`${folder}/kustomization.yaml`));
    const [{ files }] = kustomization.configMapGenerator;
    const named = [...kustomization.resources, ...files, ...kustomization.patches.map(({ path }) => path)];
    expect(named.filter((file) => !existsSync(resolve(root, folder, file)))).toEqual([]);
    // Kustomize refuses a folder that contains the one it is used in.
    const above = kustomization.resources.filter((file) => !relative(join(folder, file), folder).startsWith('..'));
    expect(above).toEqual([]);
    const { databaseUrl, databaseFile, gateway, ...rest } = load(`${folder}/tollfree.json`);
    const { databaseUrl: _, databaseFile: __, gateway: ___, ...ofOne } = load('deploy/kubernetes/tollfree.json');
    expect(rest).toEqual(ofOne);
    expect({ hasUrl: databaseUrl !== undefined, databaseFile }).toEqual({ hasUrl: true, databaseFile: undefined });
    const patch = z
      .object({
        spec: z.object({
          replicas: z.int().min(2),
          volumeClaimTemplates: z.null(),
          template: z.object({ spec: z.object({ terminationGracePeriodSeconds: z.int() }) }),
        }),
      })
      .parse(yaml(`${folder}/replicas.yaml`));
    // What the service waits before it drains, and has to drain and close.
    expect(patch.spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThan(gateway.drainDelaySeconds + 22);
  });

  test('loses one replica at a time to a drained machine', () => {
    const budget = z
      .object({
        kind: z.literal('PodDisruptionBudget'),
        spec: z.object({
          maxUnavailable: z.literal(1),
          selector: z.object({ matchLabels: z.record(z.string(), z.string()) }),
        }),
      })
      .parse(yaml(`${folder}/pod-disruption-budget.yaml`));
    expect(budget.spec.selector.matchLabels).toEqual({ 'app.kubernetes.io/name': 'tollfree' });
  });
});

test('pods are reached on the public port alone but from monitoring, and do not reach the metadata of the machine', () => {
  const { spec } = z
    .object({
      spec: z.object({
        // Other pods of the namespace, such as the database, have other ports.
        podSelector: z.object({ matchLabels: z.object({ 'app.kubernetes.io/name': z.literal('tollfree') }) }),
        policyTypes: z.array(z.string()),
        ingress: z.array(z.object({ from: z.unknown().optional(), ports: z.array(z.object({ port: z.int() })) })),
        egress: z.array(z.object({ to: z.array(z.object({ ipBlock: z.object({ except: z.array(z.string()) }) })) })),
      }),
    })
    .parse(yaml('deploy/kubernetes/network-policy.yaml'));
  expect(spec.policyTypes).toEqual(['Ingress', 'Egress']);
  const open = spec.ingress
    .filter(({ from }) => from === undefined)
    .flatMap(({ ports }) => ports.map(({ port }) => port));
  expect(open).toEqual([3000]);
  const closed = spec.egress.flatMap(({ to }) => to.flatMap(({ ipBlock }) => ipBlock.except));
  expect(closed).toContain('169.254.0.0/16');
});

test('the unit starts the program of the installed package and does not try a mistake again', () => {
  const unit = read('deploy/systemd/tollfree.service');
  const { bin } = z.object({ bin: z.object({ tollfree: z.string() }) }).parse(JSON.parse(read('package.json')));
  expect(unit).toContain(` /opt/tollfree/node_modules/tollfree/${bin.tollfree} node `);
  // The image and the unit run it in the same way.
  const [, flag = ''] = /^ExecStart=\/usr\/bin\/node (--\S+) /m.exec(unit) ?? [];
  expect(read('Dockerfile')).toContain(`ENTRYPOINT ["node", "${flag}", `);
  expect(unit).toMatch(/^RestartPreventExitStatus=1$/m);
  expect(unit).toMatch(/^NoNewPrivileges=yes$/m);
  const broken = unit.split('\n').filter((line) => !/^($|#.*|\[\w+\]|[A-Z]\w+=.*)$/.test(line));
  expect(broken).toEqual([]);
});
