import { randomBytes } from 'node:crypto';
import {
  concat,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  numberToHex,
  padHex,
  parseAbi,
  toHex,
  zeroAddress,
} from 'viem';
import { addressOf } from '../../core/evm/account-codes/find-in-catalogue.ts';
import { safeFactoryAbi } from '../../core/evm/account-codes/kinds/safe.ts';
import { startBenchProcess, startBenchService } from './bench-process.ts';
import type { BenchTarget, WatchedService } from './bench-target.ts';
import { nextNonceKey, requestKinds, requestOf } from './request-kinds.ts';

const executeAbi = parseAbi(['function execute(bytes32 mode, bytes executionCalldata)']);
const batchMode = padHex('0x01', { dir: 'right', size: 32 });
const callsOfBatch = [
  {
    type: 'tuple[]',
    components: [
      { name: 'target', type: 'address' },
      { name: 'value', type: 'uint256' },
      { name: 'data', type: 'bytes' },
    ],
  },
] as const;

const setupAbi = parseAbi([
  'function setup(address[] owners, uint256 threshold, address to, bytes data, address fallbackHandler, address paymentToken, uint256 payment, address paymentReceiver)',
]);
const [safeFactory, safeSingleton] = [addressOf('Safe 1.4.1', 'SafeProxyFactory'), addressOf('Safe 1.4.1', 'SafeL2')];

const readers = 200;
const listed = 100;
const batches = 12;
const callsPerBatch = 100;
const stubs = 250;
/** With the rest of the request just below the 128 KiB that a body may have. */
const wideBytes = 60_000;

/** Requests that come at once, or have a large answer: what the longest turn takes of a processor, and how long `/livez` waits. */
export async function measureRequests(print: (line: string) => void): Promise<void> {
  const service = await startBenchService(['--turns'], { execArgv: ['--expose-gc'] });
  const { target } = service;
  const { account, adminUrl } = target;
  if (account === undefined || adminUrl === undefined) throw new Error('The service does not say how it is managed.');
  const meter = await startBenchProcess<string>('livez-meter.ts', [adminUrl]);
  const measure = async (name: string, work: () => Promise<unknown>) => {
    // The first time compiles, reads documents and opens connections.
    await work();
    await Promise.all([service.ask('watch'), meter.ask('')]);
    await work();
    const [watched, waited] = await Promise.all([service.ask('watch'), meter.ask('')]);
    const columns = [(watched as WatchedService).longestTurnMs, waited as number];
    print(`${name.padEnd(34)}${columns.map((column) => column.toFixed(1).padStart(14)).join('')}`);
  };
  const atOnce = (count: number, ask: (index: number) => Promise<unknown>) =>
    Promise.all(Array.from({ length: count }, (_, index) => ask(index)));
  const read = (path: string) => async () => (await fetch(`${account.url}${path}`)).arrayBuffer();
  const [sponsoredBody] = requestKinds.SPONSORED.bodies;
  const headers = { authToken: account.authToken, apiKey: account.apiKey };

  print(`${'requests'.padEnd(34)}${['turn CPU ms', 'livez max ms'].map((name) => name.padStart(14)).join('')}`);
  await measure('nothing', () => new Promise((resolve) => setTimeout(resolve, 1_000)));
  for (const path of ['/openapi.json', '/llms-full.txt', '/docs/reference/policies', '/docs/search?q=policy']) {
    await measure(`${readers} × ${path}`, () => atOnce(readers, read(path)));
  }
  await atOnce(listed, () => post(target, requestOf(sponsoredBody, target, nextNonceKey())));
  await measure(`list of ${listed} decisions`, async () => {
    const response = await fetch(`${account.url}/api/v2/public/sdk/decision?limit=${listed}`, { headers });
    await response.arrayBuffer();
  });
  await measure(`${batches} ERC-7579 batches of ${callsPerBatch} calls`, () =>
    atOnce(batches, () => askStub(target, { callData: batchOf(target) })),
  );
  await measure('factory data of 60 KB', () =>
    askStub(target, { factory: safeFactory, factoryData: safeOfManyOwners(), sender: randomAddress() }),
  );
  await measure(`${stubs} stubs`, () => atOnce(stubs, () => askStub(target, {})));
  await meter.stop();
  await service.stop();
}

/** A batch whose calls fill the body of a request. */
function batchOf({ target }: BenchTarget): Hex {
  const data: Hex = concat(['0xd09de08a', numberToHex(0, { size: Math.floor(wideBytes / callsPerBatch) - 160 })]);
  const calls = Array.from({ length: callsPerBatch }, () => ({ target, value: 0n, data }));
  const args = [batchMode, encodeAbiParameters(callsOfBatch, [calls])] as const;
  return encodeFunctionData({ abi: executeAbi, args });
}

const randomAddress = () => toHex(randomBytes(20));

/** A call of the factory of Safe 1.4.1 with as many owners as a body has room for. */
function safeOfManyOwners(): Hex {
  const owners = Array.from({ length: Math.floor(wideBytes / 32) }, randomAddress);
  const args = [owners, 1n, zeroAddress, '0x', zeroAddress, zeroAddress, 0n, zeroAddress] as const;
  const initializer = encodeFunctionData({ abi: setupAbi, args });
  return encodeFunctionData({ abi: safeFactoryAbi, args: [safeSingleton, initializer, 0n] });
}

/** For a nonce of its own, with these fields in place of the usual ones. */
async function askStub(target: BenchTarget, fields: Readonly<Record<string, string>>): Promise<void> {
  const nonceKey = nextNonceKey();
  const bodyOf = () => {
    const [stubBody] = requestKinds['ERC-7677, new'].bodies;
    const asked: { params: [object, ...unknown[]] } = JSON.parse(stubBody(target, nonceKey));
    const [operation, ...others] = asked.params;
    return JSON.stringify({ ...asked, params: [{ ...operation, ...fields }, ...others] });
  };
  await post(target, requestOf(bodyOf, target, nonceKey));
}

async function post(
  { rpcUrl }: BenchTarget,
  request: { readonly body: string; readonly headers: object },
): Promise<void> {
  const response = await fetch(rpcUrl, { method: 'POST', ...request, headers: { ...request.headers } });
  await response.arrayBuffer();
}
