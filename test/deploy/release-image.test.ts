import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';

const digest = `sha256:${'5a'.repeat(32)}`;

/** Runs the script with a `docker` that names this digest: what it answered, and what docker was asked. */
async function buildWith(named: string) {
  const folder = mkdtempSync(join(tmpdir(), 'tollfree-docker-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const asked = join(folder, 'asked');
  const docker = `#!/bin/sh\necho "$@" >> '${asked}'\nif [ "$1" = buildx ]; then echo '${named}'; fi\n`;
  writeFileSync(join(folder, 'docker'), docker, { mode: 0o755 });
  const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` };
  const run = promisify(execFile)('sh', ['deploy/image/build-release.sh', 'example/tollfree:1.2.3'], { env });
  const { code, stderr } = await run.then(
    () => ({ code: 0, stderr: '' }),
    (error: { code: number; stderr: string }) => error,
  );
  return { code, stderr, asked: readFileSync(asked, 'utf8').trim().split('\n') };
}

test('a release image is built from the digest of its base image, which it records', async () => {
  const { code, asked } = await buildWith(digest);
  expect(code).toBe(0);
  const [looked, built = ''] = asked;
  expect(looked).toMatch(/^buildx imagetools inspect node:\d+\.\d+\.\d+-alpine /);
  expect(built).toMatch(new RegExp(`^build .*NODE_IMAGE=node:\\d+\\.\\d+\\.\\d+-alpine@${digest} `));
  expect(built).toContain(`org.opencontainers.image.base.digest=${digest}`);
  const stages = readFileSync('Dockerfile', 'utf8').match(/^FROM .*$/gm) ?? [];
  for (const stage of stages) expect(stage).toMatch(/^FROM \$\{NODE_IMAGE\}/);
});

test.each(['', 'latest', 'sha256:12'])('nothing is built where the registry names the digest %j', async (named) => {
  const { code, stderr, asked } = await buildWith(named);
  expect(code).toBe(1);
  expect(stderr).toContain('no digest');
  expect(asked).toHaveLength(1);
});
