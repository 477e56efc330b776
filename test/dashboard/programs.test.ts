import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createConfig } from 'wagmi';
import { connect } from 'wagmi/actions';
import { type Filled, programsFor } from '../../clients/dashboard/pages/paymasters/programs.ts';
import { smartWallet } from '../../clients/sdk/examples/wallet/smart-wallet.ts';
import type { EntryPointVersion } from '../../core/domain/entry-point-version.ts';
import { ticketUserDigest } from '../../core/tickets/ticket.ts';
import { incrementsOf } from '../support/chain/chain-lab.ts';
import { entryPointsOfRun } from '../support/chain/tabled-entry-points.ts';
import { type ClientLab, openClientLab } from '../support/service/client-lab.ts';
import { freshKey } from '../support/service/running-service.ts';
import { newTicketPaymaster, type TicketPaymaster } from '../support/service/ticket-lab.ts';

let lab: ClientLab;
beforeAll(async () => {
  lab = await openClientLab();
});
afterAll(() => lab?.close());

/** Programs are pasted into files of this folder, where their imports are found. */
const folder = join(import.meta.dirname, 'pasted');
beforeAll(() => mkdirSync(folder, { recursive: true }));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function filledFor(version: EntryPointVersion, change: Partial<Filled> = {}): Filled {
  const { devnet, bundler } = lab;
  return {
    url: lab.paymaster(version).rpcUrl,
    chainId: devnet.chainId,
    entryPointVersion: version,
    bundlerUrl: bundler.url,
    call: { address: devnet.target.address, method: 'increment()' },
    ...change,
  };
}

function programOf(filled: Filled, name: string) {
  const program = programsFor(filled).find((each) => each.name === name);
  if (program === undefined) throw new Error(`no program for ${name}`);
  return program;
}

/** Runs a program as it was pasted. Only the node differs: the chain of a test has another one than viem knows. */
async function runPasted(filled: Filled, name: string): Promise<string> {
  const { code, file } = programOf(filled, name);
  const path = join(folder, `${crypto.randomUUID()}-${file}`);
  writeFileSync(path, code.replace('transport: http()', `transport: http('${lab.devnet.rpcUrl}')`));
  const printed = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  try {
    await import(/* @vite-ignore */ path);
    return printed.mock.calls.map((line) => line.join(' ')).join('\n');
  } finally {
    printed.mockRestore();
  }
}

/** Runs the program for wagmi as it was pasted, in an app with a connected wallet, and expects its call on the chain. */
async function expectSentWithWagmi(filled: Filled): Promise<void> {
  const { devnet, bundler } = lab;
  const owner = privateKeyToAccount(freshKey());
  const { chain } = devnet.client;
  const wallet = smartWallet({ owner, chain, nodeUrl: devnet.rpcUrl, bundlerUrl: bundler.url });
  const config = createConfig({
    chains: [chain],
    connectors: [wallet],
    transports: { [chain.id]: http(devnet.rpcUrl) },
  });
  const [connector] = config.connectors;
  if (connector === undefined) throw new Error('no connector');
  await connect(config, { connector });
  Object.assign(globalThis, { pastedConfig: config });
  const app = join(folder, crypto.randomUUID());
  mkdirSync(app);
  writeFileSync(join(app, 'config.ts'), 'export const config = globalThis.pastedConfig;\n');
  const file = join(app, 'with-wagmi.ts');
  writeFileSync(file, programOf(filled, 'wagmi').code);
  await import(/* @vite-ignore */ file);
  const [sender = '0x'] = await connector.getAccounts();
  await expect.poll(() => incrementsOf(devnet, sender as `0x${string}`), { timeout: 20_000 }).toBe(1n);
}

describe.each(entryPointsOfRun)('for EntryPoint %s', (version) => {
  test.each(['viem', 'permissionless', 'Tollfree SDK'])('the program for %s lands a call as pasted', async (name) => {
    expect(await runPasted(filledFor(version), name)).toMatch(/^Landed 0x[0-9a-f]{64}$/);
  });
});

test.each(['viem', 'permissionless', 'Tollfree SDK'])(
  'the program for %s of a named policy is decided by that policy',
  async (name) => {
    const policyId = lab.policyId('0.8');
    expect(await runPasted(filledFor('0.8', { policyId }), name)).toContain('Landed');
    const refused = await runPasted(filledFor('0.8', { policyId: `${policyId}x` }), name).catch(String);
    expect(refused).toContain('cannot be chosen here');
  },
);

describe('for a policy that requires a ticket', () => {
  let ticketed: TicketPaymaster;
  let ticketUrl: string;
  let closeServer: () => void;
  beforeAll(async () => {
    ticketed = await newTicketPaymaster(lab.service, '0.8');
    await ticketed.client.setPolicy({ policy: { requireTicket: true } });
    // The team's own server: it signs for a user with a session alone.
    const server = createServer(async ({ method, headers }, response) => {
      if (method !== 'POST' || headers.cookie !== 'session=demo-session') return response.writeHead(401).end();
      response.end(JSON.stringify({ ticket: await ticketed.ticket({ sub: 'user-42' }) }));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    ticketUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/ticket`;
    closeServer = () => server.close();
  });
  afterAll(() => closeServer?.());

  test.each(['viem', 'permissionless', 'Tollfree SDK'])(
    'the program for %s gets a ticket from your server, and lands',
    async (name) => {
      const filled = filledFor('0.8', { url: ticketed.rpcUrl });
      expect(await runPasted(filled, name).catch(String)).toContain('requires a ticket, and none was sent');
      expect(await runPasted({ ...filled, ticketUrl }, name)).toContain('Landed');
      const { decisions } = await ticketed.client.listDecisions({ outcome: 'signed', limit: 1 });
      const subject = ticketUserDigest({ paymasterId: ticketed.paymasterId, sub: 'user-42' });
      expect(decisions).toMatchObject([{ facts: { subject } }]);
    },
  );

  test('the program for wagmi gets a ticket from your server, and lands', async () => {
    await expectSentWithWagmi(filledFor('0.8', { url: ticketed.rpcUrl, ticketUrl }));
  });
});

test('a method with arguments is called with samples', async () => {
  const call = { address: lab.devnet.target.address, method: 'record(string)' };
  expect(await runPasted(filledFor('0.8', { call }), 'viem')).toContain('Landed');
});

test.each([
  ['f(address,bool,bytes,bytes4)', "account.address, true, '0x', '0x00000000'"],
  ['f(uint256,uint48,int8)', '1n, 1, 1'],
  ['f(uint8[],address[2],(uint256,string)[])', "[1], [account.address, account.address], [[1n, 'hello']]"],
])('samples of %s are %s', (method, args) => {
  const call = { address: lab.devnet.target.address, method };
  expect(programOf(filledFor('0.8', { call }), 'viem').code).toContain(`args: [${args}], // samples`);
});

test('a chain that viem may not know is defined in the program, with a node to fill in', () => {
  const { code } = programOf(filledFor('0.8', { chainId: 987_654 }), 'viem');
  expect(code).toContain('id: 987654,');
  expect(code).toContain('replace it with a node of the chain');
});

test('the program for wagmi sends from the connected wallet as pasted', () => expectSentWithWagmi(filledFor('0.8')));

test('the request for curl prints the EntryPoint and the chain', async () => {
  const filled = filledFor('0.8');
  const { stdout } = await promisify(execFile)('bash', ['-c', programOf(filled, 'curl').code]);
  expect(stdout.toLowerCase()).toContain(lab.devnet.entryPoints['0.8'].toLowerCase());
  expect(stdout).toContain(`0x${filled.chainId.toString(16)}`);
});
