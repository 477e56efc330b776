import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runInPlace } from '../support/command-line/run-in-place.ts';

const password = 'correct horse';

function file(mode: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'tollfree-password-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'password'), `${password}\n`, { mode });
  return join(folder, 'password');
}

const migrate = (...args: readonly string[]) => runInPlace(['migrate', '--from', 'sqlite:/nowhere/none.db', ...args]);

test.each([
  'postgres://ada:correct%20horse@127.0.0.1:1/none',
  'postgres://ada@127.0.0.1:1/none?password=correct%20horse',
])('a password in %s is refused with what to do, by every command that takes the URL', async (url) => {
  const moved = await migrate('--to', url);
  expect(moved.code).toBe(1);
  expect(moved.stderr).toMatch(/--to contains a password.*--to-password-file/);
  const served = await runInPlace(['account', 'list', '--database-url', url]);
  expect(served.code).toBe(1);
  expect(served.stderr).toMatch(/--database-url contains a password.*PGPASSFILE/);
  expect(moved.stderr + served.stderr).not.toContain('horse');
});

test('the password file of migrate has to be closed to others, and what is in it is never printed', async () => {
  const to = ['--to', 'postgres://ada@127.0.0.1:1/none'];
  const open = await migrate(...to, '--to-password-file', file(0o644));
  expect(open).toMatchObject({ code: 1, stderr: expect.stringContaining('chmod 600') });
  const closed = await migrate(...to, '--to-password-file', file(0o600));
  expect(closed.code).not.toBe(0);
  expect(closed.stderr).not.toMatch(/chmod|horse/);
});
