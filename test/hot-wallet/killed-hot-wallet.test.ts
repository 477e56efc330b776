import { type Address, type Hex, keccak256 } from 'viem';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { devnetFamilies } from '../../server/dev/devnet/devnet.ts';
import { depositOf } from '../support/chain/chain-lab.ts';
import { runInPlace } from '../support/command-line/run-in-place.ts';
import { ether, version } from './hot-wallet-lab.ts';
import { type KilledLab, openKilledLab, patience } from './killed-lab.ts';

let lab: KilledLab;
let contract: Address;

beforeAll(async () => {
  lab = await openKilledLab();
  contract = lab.devnet.paymasterContracts[devnetFamilies[version]];
  const deposits = { below: '2 ether', to: '5 ether' };
  lab.writeConfig('config.json', { hotWallet: { wallet: 'hot', maxPerDay: '20 ether', deposits } });
});
afterAll(() => lab.close());

const deposit = () => depositOf(lab.devnet, version, contract);

const transferSchema = z.object({ state: z.string(), nonce: z.number(), txHashes: z.array(z.string()) });
const reportSchema = z.array(
  z.object({
    wallet: z.string(),
    sentInDay: z.string(),
    transfers: z.array(transferSchema),
    targets: z.array(z.object({ isDue: z.boolean() })),
  }),
);

/** What `tollfree hot-wallet` says next to the service, or without it. */
async function report() {
  const { code, stdout, stderr } = await runInPlace(['hot-wallet', '--json', '--config', lab.file('config.json')]);
  expect(stderr).toBe('');
  expect(code).toBe(0);
  const [own] = reportSchema.parse(JSON.parse(stdout));
  return own;
}

let first: Hex | undefined;

test('a transfer that no node has taken is stored when the service is killed', async () => {
  lab.takeFromNow(false);
  await lab.start();
  await vi.waitFor(() => expect(lab.sent().length).toBeGreaterThan(0), patience);
  await lab.kill();
  [first] = lab.sent();
  expect(await report()).toMatchObject({
    wallet: lab.hotWallet,
    transfers: [{ state: 'open', nonce: 0, txHashes: [keccak256(first ?? '0x')] }],
    targets: [{ isDue: true }],
  });
  expect(await deposit()).toBeLessThan(ether('2'));
});

test('the next start sends the same transaction, and is killed before it is confirmed', async () => {
  lab.takeFromNow(true);
  await lab.start();
  await vi.waitFor(async () => expect(await deposit()).toBe(ether('5')), patience);
  await lab.kill();
  expect(new Set(lab.sent())).toEqual(new Set([first]));
});

test('the start after that finds it landed and sends nothing more, with the ledger exact', async () => {
  await lab.start();
  await lab.devnet.client.mine({ blocks: 3 });
  await vi.waitFor(async () => expect((await report())?.transfers[0]?.state).toBe('landed'), patience);
  expect(await report()).toMatchObject({ transfers: [{ nonce: 0 }], targets: [{ isDue: false }] });
  expect((await report())?.transfers).toHaveLength(1);
  expect(await lab.devnet.client.getTransactionCount({ address: lab.hotWallet })).toBe(1);
  expect(await deposit()).toBe(ether('5'));
  // The ledger follows the chain by itself, a moment later or earlier than the hot wallet.
  await vi.waitFor(async () => {
    const check = await runInPlace(['ledger', 'check', '--core', `unix:${lab.file('core.sock')}`]);
    expect(check).toMatchObject({ code: 0, stderr: '' });
    expect(check.stdout).toMatch(/of the operator\s+5 ether/);
  }, patience);
});
