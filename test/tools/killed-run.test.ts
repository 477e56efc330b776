import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, watch } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

type Process = { readonly pid: number; readonly parent: number; readonly name: string };

function listProcesses(): readonly Process[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid=,stat=,comm='], { encoding: 'utf8' });
  return stdout.split('\n').flatMap((line) => {
    const [, pid, parent, state, name] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    if (name === undefined || state?.startsWith('Z')) return [];
    return [{ pid: Number(pid), parent: Number(parent), name }];
  });
}

/** What a process has started, and what that has started. */
function descendantsOf(pid: number): readonly Process[] {
  const all = listProcesses();
  const below = (parent: number): readonly Process[] =>
    all.filter((one) => one.parent === parent).flatMap((one) => [one, ...below(one.pid)]);
  return below(pid);
}

async function untilThere(file: string, folder: string): Promise<void> {
  const watcher = watch(folder);
  onTestFinished(() => watcher.close());
  while (!existsSync(join(folder, file))) await once(watcher, 'change');
}

test('a test run that is killed leaves no node, browser or worker behind', { timeout: 180_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollfree-killed-run-'));
  const run = spawn(
    process.execPath,
    [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--config', 'tools/separate/vitest.config.ts'],
    {
      cwd: root,
      env: { ...process.env, SUITES: 'test/tools/killed-run.suite.ts', INSTALLED: folder },
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  );
  const ended = once(run, 'exit');
  onTestFinished(async () => {
    run.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  });
  await Promise.race([untilThere('up', folder), ended.then(() => Promise.reject(new Error('The run ended.')))]);
  const started = descendantsOf(run.pid ?? 0);
  expect(started.map(({ name }) => name)).toEqual(
    expect.arrayContaining([expect.stringContaining('anvil'), expect.stringContaining('chrom')]),
  );
  run.kill('SIGKILL');
  await ended;
  const isLeft = ({ pid, name }: Process) => listProcesses().some((one) => one.pid === pid && one.name === name);
  await vi.waitFor(() => expect(started.filter(isLeft)).toEqual([]), { timeout: 60_000, interval: 500 });
});
