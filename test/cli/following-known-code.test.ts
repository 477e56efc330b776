import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { LocalCore } from '../../core/local.ts';
import { loadConfig } from '../../server/config/load-config.ts';
import { followKnownCode } from '../../server/following-known-code.ts';
import { silentLogger } from '../support/logging/recording-logger.ts';

type Changed = Parameters<LocalCore['changeKnownCode']>[0];

const example = readFileSync(join(import.meta.dirname, '../../server/config/tollfree.example.json'), 'utf8');
const entry = { name: 'INFINITISM', version: '1.0.0', codeHash: `0x${'ab'.repeat(32)}` };

let folder: string;
let file: string;
let changes: Changed[];
let errors: string[];
let close: () => void;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  folder = mkdtempSync(join(tmpdir(), 'tollfree-known-code-'));
  file = join(folder, 'tollfree.json');
  writeFileSync(file, example);
  changes = [];
  errors = [];
  const core = { changeKnownCode: (changed: Changed) => void changes.push(changed) };
  const logger = { ...silentLogger, error: (_: object, message: string) => void errors.push(message) };
  ({ close } = followKnownCode({ config: file }, loadConfig({ config: file }, {}), { core, logger }));
});
afterEach(() => {
  close();
  vi.useRealTimers();
  rmSync(folder, { recursive: true });
});

/** Replaces the file by another one, as editors, the command and Kubernetes do. */
function write(text: string): void {
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
  vi.advanceTimersByTime(10_000);
}

function withAccounts(accounts: object, others: object = {}): string {
  const config = JSON.parse(example) as { chains: object[] };
  return JSON.stringify({ ...config, ...others, chains: config.chains.map((chain) => ({ ...chain, accounts })) });
}

test('a core is given the code of each chain whose entries changed, once', () => {
  vi.advanceTimersByTime(10_000);
  write(`${example}\n// A comment.`);
  expect(changes.flat()).toEqual([]);
  write(withAccounts({ implementations: [entry] }));
  const chainIds = loadConfig({ config: file }, {}).chains?.map(({ chainId }) => chainId);
  expect(changes.flat().map(({ chainId }) => chainId)).toEqual(chainIds);
  expect(changes.flat().every(({ accounts }) => accounts?.implementations?.length === 1)).toBe(true);
  changes.length = 0;
  write(withAccounts({ implementations: [entry], gas: { ANY: { call: 5 } } }));
  expect(changes.flat()).toEqual([]);
  write(example);
  expect(changes.flat().map(({ accounts }) => accounts?.implementations ?? [])).toEqual(chainIds?.map(() => []));
});

test('a file with a mistake, half a file and no file change nothing, and the next good one counts', () => {
  write(withAccounts({ implementations: [entry] }, { notKnown: true }));
  write(withAccounts({ implementations: [{ ...entry, codeHash: '0x1' }] }));
  write(example.slice(0, 500));
  expect(errors).toHaveLength(3);
  rmSync(file);
  vi.advanceTimersByTime(10_000);
  expect(changes).toEqual([]);
  write(withAccounts({ proxies: [{ codeHash: entry.codeHash }] }));
  expect(changes.flat().every(({ accounts }) => accounts?.proxies?.length === 1)).toBe(true);
  expect(changes.flat()).not.toEqual([]);
});
