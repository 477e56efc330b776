import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { OperatorStatusSchema } from '@tollfree/contract/operator';
import { zeroAddress } from 'viem';
import { expect, onTestFinished, test } from 'vitest';
import { accept } from '../../core/domain/result/result.ts';
import { adminUrl } from '../../server/show-status.ts';
import { runInProcess } from '../support/command-line/run-in-process.ts';
import { chainId, servedChain } from '../support/gateway/fake-core.ts';
import { startTestGateway } from '../support/gateway/start-test-gateway.ts';

const well = { part: 'store', ready: true, detail: 'the database responds' };

async function adminOf(...parts: readonly { part: string; ready: boolean; detail: string }[]): Promise<string> {
  const { adminUrl } = await startTestGateway({ core: { status: async () => [well, ...parts] } });
  return adminUrl;
}

test('a service that is well has nothing wrong, for people and for programs', async () => {
  const admin = await adminOf();
  const { code, stdout, stderr } = await runInProcess('status', '--admin', admin);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^The service is ready\.\n(.+: version .+, commit .+, schema .+\n)*Devnet \(/);
  expect(stdout).not.toContain('WRONG');
  const asJson = await runInProcess('status', '--admin', new URL(admin).host, '--json');
  expect(asJson).toMatchObject({ code: 0, stderr: '' });
  expect(OperatorStatusSchema.parse(JSON.parse(asJson.stdout))).toMatchObject({ ready: true, problems: [] });
});

test('names the process that keeps the ledger where there are several', async () => {
  const ledger = { part: 'ledger', ready: true, detail: 'kept by host-a (process 7)' };
  const said = async (admin: string) => (await runInProcess('status', '--admin', admin)).stdout;
  expect(await said(await adminOf(ledger))).toContain('\nLedger: kept by host-a (process 7)\n');
  expect(await said(await adminOf())).not.toContain('Books:');
});

test.each([
  [0n, 'The ledger agrees with the chain up to block 42.'],
  [5n, 'The chain has 5 wei more than the ledger up to block 42.'],
  [-5n, 'The chain has 5 wei less than the ledger up to block 42.'],
  [undefined, 'The chain could not be read to compare it with the ledger up to block 42.'],
])('says in a sentence what a difference of %s between chain and ledger means', async (difference, sentence) => {
  const [{ address: contract } = { address: zeroAddress }] = servedChain.contracts;
  const amounts = { bookDeposit: 2n, held: 3n, ...omitAbsent({ difference }) };
  const state = { state: 'compared', chainId, contract, entryPoint: contract, atBlock: 42n, ...amounts } as const;
  const { adminUrl: admin } = await startTestGateway({ core: { readLedgerStates: async () => accept([state]) } });
  const { stdout } = await runInProcess('status', '--admin', admin);
  expect(stdout).toContain(`${contract}, 0.000000000000000003 ether held. ${sentence}\n`);
});

test('who gets an account by signing in is said where browsers sign in', async () => {
  const core = { readSignUp: async () => accept({ signUp: 'invited' as const }) };
  const [set, unset] = await Promise.all([
    startTestGateway({ core, publicUrl: 'https://gas.example.org' }),
    startTestGateway({ core }),
  ]);
  const said = async ({ adminUrl: admin }: { readonly adminUrl: string }) =>
    (await runInProcess('status', '--admin', admin)).stdout;
  expect(await said(set)).toContain('Sign-up is invited: a wallet gets an account by signing in once it is invited');
  expect(await said(unset)).not.toContain('Sign-up');
  expect(await (await fetch(set.adminUrl)).text()).toContain('invited');
});

test('what is wrong comes first, with what fixes it, and nothing that a terminal would obey', async () => {
  const admin = await adminOf({ part: `chain ${chainId}`, ready: false, detail: 'away\u001b[2J' });
  const { code, stdout, stderr } = await runInProcess('status', '--admin', admin);
  expect({ code, stderr }).toEqual({ code: 1, stderr: 'tollfree: 1 problem.\n' });
  expect(stdout.split('\n').slice(0, 3)).toEqual([
    'The service is NOT READY.',
    `WRONG  chain ${chainId}: away\u{fffd}[2J`,
    expect.stringContaining('Check the chain’s nodes'),
  ]);
  const asJson = await runInProcess('status', '--admin', admin, '--json');
  expect(asJson.code).toBe(1);
  expect(JSON.parse(asJson.stdout)).toMatchObject({
    ready: false,
    problems: [{ what: expect.stringContaining('away') }],
  });
});

test('the address is that of the configuration', async () => {
  const { port } = new URL(await adminOf());
  process.env.TOLLFREE_ADMIN_LISTEN = `127.0.0.1:${port}`;
  onTestFinished(() => void delete process.env.TOLLFREE_ADMIN_LISTEN);
  expect(await runInProcess('status')).toMatchObject({ code: 0, stderr: '' });
  process.env.TOLLFREE_ADMIN_LISTEN = '127.0.0.1:0';
  expect(await runInProcess('status')).toMatchObject({ code: 1, stderr: expect.stringContaining('with --admin') });
});

test.each([
  ['0.0.0.0:9464', 'http://127.0.0.1:9464/'],
  ['[::]:9464', 'http://[::1]:9464/'],
  ['gas.example.org:1', 'http://gas.example.org:1/'],
  ['https://gas.example.org/admin?a=b', 'https://gas.example.org/admin/'],
])('%s is asked at %s', (admin, url) => {
  expect(adminUrl({ admin }).href).toBe(url);
});

test('nothing that answers is a reason to try again, and so is something else', async () => {
  const other = createServer((_, response) => response.end('{"ready":true}')).listen(0, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  const { port } = other.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/`;
  const strange = await runInProcess('status', '--admin', url, '--json');
  expect(strange).toMatchObject({ code: 75, stdout: '', stderr: expect.stringContaining('is not an admin listener') });
  await new Promise((resolve) => other.close(resolve));
  const none = await runInProcess('status', '--admin', url, '--json');
  expect(none).toMatchObject({ code: 75, stdout: '', stderr: expect.stringContaining(`Nothing responds at ${url}`) });
});

test.each(['nonsense', 'ftp://127.0.0.1:1', 'http://user:secret@127.0.0.1:1/'])('%s is no address', async (address) => {
  const { code, stdout, stderr } = await runInProcess('status', '--admin', address);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain('--admin must be host:port');
  expect(stderr).not.toContain('secret');
});
