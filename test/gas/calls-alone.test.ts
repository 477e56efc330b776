import { type Address, encodeFunctionData, type Hex, parseAbi, parseEther } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { measureCallsAlone } from '../../core/gas/simulation/probe-account.ts';
import { createChainClient } from '../../core/node/chain-client.ts';
import { compileSolidity } from '../../tools/compile-solidity.ts';
import { numberedAddress } from '../support/core/ledger-lab.ts';
import { type EstimationBench, send, startEstimationBench } from '../support/estimation/estimation-bench.ts';

const abi = parseAbi([
  'function mint()',
  'function mintMany()',
  'function checkSignature() view',
  'function checkInterface() view',
  'function giveBack() payable',
  'function needGas(uint256 amount) view',
  'function fail() pure',
]);
const account = numberedAddress(0xacc0);
/** Uses up all gas that it is called with. */
const burningCode: Hex = '0xfe';

let bench: EstimationBench;
let target: Address;
beforeAll(async () => {
  bench = await startEstimationBench();
  const compiled = compileSolidity(new URL('contracts/CallingBack.sol', import.meta.url).pathname).get('CallingBack');
  if (compiled === undefined) throw new Error('The contract did not compile.');
  const { contractAddress } = await send(bench.devnet, bench.bundler, { data: compiled.creationBytecode });
  if (!contractAddress) throw new Error('The contract was not deployed.');
  target = contractAddress;
  await bench.devnet.client.setCode({ address: account, bytecode: burningCode });
  await bench.devnet.client.setBalance({ address: account, value: parseEther('1') });
});
afterAll(() => bench.close());

async function measure(calls: readonly { readonly data: Hex; readonly value?: bigint }[], sender = account) {
  const { rpcUrl, chainId } = bench.devnet;
  const client = createChainClient({
    chainId,
    name: 'dev',
    nodeUrls: [rpcUrl],
    callTimeoutMs: 10_000,
    pollIntervalMs: 1_000,
  });
  const measured = await measureCallsAlone(
    { client },
    sender,
    calls.map(({ data, value = 0n }) => ({ target, value, data })),
  );
  if (!measured.ok) throw new Error(measured.refusal.message);
  return measured.value;
}

function callOf(functionName: 'mint' | 'mintMany' | 'checkSignature' | 'checkInterface' | 'giveBack' | 'fail'): Hex {
  return encodeFunctionData({ abi, functionName });
}

describe('the calls of an account, measured without its code', () => {
  test.each(['mint', 'mintMany', 'checkSignature', 'checkInterface', 'giveBack'] as const)(
    'go through where the contract calls the account back (%s)',
    async (functionName) => {
      const measured = await measure([
        { data: callOf(functionName), ...(functionName === 'giveBack' ? { value: 1n } : {}) },
      ]);
      expect(measured.made).toBe(true);
      expect(measured.gas).toBeLessThan(80_000n);
    },
  );

  test('need as much where the account is not there yet', async () => {
    const calls = [{ data: callOf('mint') }];
    expect(await measure(calls, numberedAddress(0xacc1))).toEqual(await measure(calls));
  });

  test('are made in order, each on what the one before has left', async () => {
    const once = await measure([{ data: callOf('mint') }]);
    const twice = await measure([{ data: callOf('mint') }, { data: callOf('mint') }]);
    expect(twice.made).toBe(true);
    // The second mint writes a slot that is no longer new.
    expect(twice.gas - once.gas).toBeLessThan(once.gas / 2n);
  });

  test('get a limit that suffices, where a contract wants more gas than it uses', async () => {
    const data = encodeFunctionData({ abi, functionName: 'needGas', args: [300_000n] });
    const { made, gas } = await measure([{ data }]);
    expect(made).toBe(true);
    expect(gas).toBeGreaterThan(300_000n);
    expect(gas).toBeLessThan(700_000n);
  });

  test('are not made where one of them fails, or carries more coin than the account has', async () => {
    expect(await measure([{ data: callOf('mint') }, { data: callOf('fail') }])).toMatchObject({ made: false });
    expect(await measure([{ data: callOf('giveBack'), value: parseEther('2') }])).toMatchObject({ made: false });
  });
});
