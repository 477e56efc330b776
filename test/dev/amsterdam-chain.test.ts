import { createPublicClient, encodeFunctionData, http, parseEther } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { readGasSchedule } from '../../core/gas/gas-schedule.ts';
import { type Devnet, devnetFamilies } from '../../server/dev/devnet/devnet.ts';
import { createDevnetClient } from '../../server/dev/devnet/devnet-client.ts';
import { startEthereumJs } from '../../server/dev/devnet/ethereumjs/start-ethereumjs.ts';
import { startDevnet } from '../../server/dev/devnet/start-devnet.ts';
import { bundler } from '../support/chain/chain-lab.ts';
import { madeUpPrices, madeUpUnits } from '../support/chain/made-up-prices.ts';
import { freshKey } from '../support/service/running-service.ts';

const signer = privateKeyToAccount(freshKey());
let devnet: Devnet;
beforeAll(async () => {
  devnet = await startDevnet({ port: 0, fork: 'amsterdam', paymasterSigner: signer.address });
});
afterAll(() => devnet.close());

const chainClientOf = (rpcUrl: string) => createPublicClient({ transport: http(rpcUrl) });

const increment = () => ({
  to: devnet.target.address,
  data: encodeFunctionData({ abi: devnet.target.abi, functionName: 'increment' }),
});
const countOf = (blockNumber?: bigint) =>
  devnet.client.readContract({
    address: devnet.target.address,
    abi: devnet.target.abi,
    functionName: 'count',
    args: [bundler.address],
    ...(blockNumber === undefined ? {} : { blockNumber }),
  });

async function sendIncrement() {
  const hash = await devnet.client.sendTransaction({ account: bundler, chain: devnet.client.chain, ...increment() });
  return devnet.client.waitForTransactionReceipt({ hash });
}

describe('the development chain with the prices of Sepolia', () => {
  test('charges what was measured on one', async () => {
    const read = await readGasSchedule(chainClientOf(devnet.rpcUrl));
    expect(read).toMatchObject({
      ok: true,
      value: {
        isKnown: true,
        schedule: {
          fork: 'glamsterdam',
          newSlot: 110_020n,
          changedSlot: 12_100n,
          coldAccount: 3_000n,
          newAccount: 183_600n,
          codeByte: 1_530n,
          valueCall: 11_400n,
        },
      },
    });
  });

  test('has the contracts of the other one', async () => {
    const addresses = [
      ...Object.values(devnet.entryPoints),
      ...Object.values(devnet.accountFactories),
      ...Object.values(devnetFamilies).map((family) => devnet.paymasterContracts[family]),
      ...devnet.tokens.map(({ address }) => address),
      devnet.target.address,
    ];
    for (const address of addresses) expect(await devnet.client.getCode({ address }), address).toBeDefined();
  });

  test('charges for a transfer to a fresh account what it costs, and pays it', async () => {
    const to = privateKeyToAccount(freshKey()).address;
    const hash = await devnet.client.sendTransaction({ account: bundler, chain: devnet.client.chain, to, value: 5n });
    const { gasUsed } = await devnet.client.waitForTransactionReceipt({ hash });
    expect(gasUsed).toBe(204_600n);
    expect(await devnet.client.getBalance({ address: to })).toBe(5n);
  });

  test('reads the state of older blocks, and goes back to a snapshot', async () => {
    const before = Number(await countOf());
    const snapshot = await devnet.client.snapshot();
    const { blockNumber, logs } = await sendIncrement();
    expect(logs.length).toBeGreaterThan(0);
    expect(await countOf()).toBe(BigInt(before + 1));
    expect(await countOf(blockNumber - 1n)).toBe(BigInt(before));
    await devnet.client.revert({ id: snapshot });
    expect(await countOf()).toBe(BigInt(before));
    expect(await devnet.client.getBlockNumber()).toBe(blockNumber - 1n);
  });

  test('answers a revert with its data, and a nonce that was used with an error', async () => {
    const fail = encodeFunctionData({ abi: devnet.target.abi, functionName: 'fail' });
    await expect(devnet.client.call({ to: devnet.target.address, data: fail })).rejects.toThrow(/reverted/);
    await sendIncrement();
    const again = { account: bundler, chain: devnet.client.chain, nonce: 0, gas: 200_000n, ...increment() };
    await expect(devnet.client.sendTransaction(again)).rejects.toThrow(/[Nn]once/);
  });

  test('mines what waits when blocks are mined by hand', async () => {
    const { client } = devnet;
    await client.setAutomine(false);
    onTestFinished(() => client.setAutomine(true));
    const nonce = await client.getTransactionCount({ address: bundler.address });
    const common = { account: bundler, chain: client.chain, gas: 200_000n, ...increment() };
    const second = await client.sendTransaction({ ...common, nonce: nonce + 1 });
    const first = await client.sendTransaction({ ...common, nonce });
    await client.mine({ blocks: 1 });
    const receipts = await Promise.all([first, second].map((hash) => client.getTransactionReceipt({ hash })));
    expect(receipts.map(({ transactionIndex, status }) => ({ transactionIndex, status }))).toEqual([
      { transactionIndex: 0, status: 'success' },
      { transactionIndex: 1, status: 'success' },
    ]);
    expect(receipts[0]?.blockNumber).toBe(receipts[1]?.blockNumber);
  });
});

test('a chain with made-up prices charges those', async () => {
  const node = await startEthereumJs({ port: 0, chainId: 31_337, prices: madeUpPrices });
  onTestFinished(node.close);
  const read = await readGasSchedule(chainClientOf(node.rpcUrl));
  expect(read).toMatchObject({ ok: true, value: { isKnown: false, schedule: madeUpUnits } });
  const to = privateKeyToAccount(freshKey()).address;
  const client = createDevnetClient(node.rpcUrl, 31_337);
  const hash = await client.sendTransaction({ account: bundler, chain: client.chain, to, value: parseEther('1') });
  const { gasUsed } = await client.waitForTransactionReceipt({ hash });
  expect(gasUsed).toBe(18_100n + 3_700n + 7_100n + madeUpUnits.newAccount);
});
