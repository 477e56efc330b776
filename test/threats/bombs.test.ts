import { beforeAll, describe, expect, test } from 'vitest';
import { entryPointVersions } from '../../core/domain/entry-point-version.ts';
import type { DevPaymaster } from '../../server/dev/dev-file.ts';
import {
  callRpc,
  newOperation,
  postRpc,
  type Rpc,
  refusalOf,
  resultOf,
  sponsored,
} from '../support/interface/rpc-calls.ts';
import { useService } from '../support/interface/use-service.ts';

const word = (value: number | bigint) => value.toString(16).padStart(64, '0');
const words = (count: number, value: number | bigint) => word(value).repeat(count);

/** The list of `n` byte strings that all stand at one offset, with `bytes` of content there. */
const sharedElements = (n: number, bytes: number) => word(n) + words(n, 32 * n) + word(bytes) + 'ff'.repeat(bytes);

/** `(address[], uint256[], bytes[])` with `n` elements each, the byte strings all one of `bytes` bytes. */
function threeLists(n: number, bytes: number): string {
  const listBytes = 32 * (n + 1);
  const heads = word(96) + word(96 + listBytes) + word(96 + 2 * listBytes);
  return heads + word(n) + words(n, 0xab) + word(n) + words(n, 0) + sharedElements(n, bytes);
}

/** Call data of about `kib` KiB for one kind of account, each made so that following its offsets multiplies the work. */
function callDataBombs(
  kib: number,
): readonly (readonly [account: string, version: string, bomb: string, data: string])[] {
  const total = kib * 1024;
  const n = Math.floor(total / 2 / 32 / 4);
  const half = Math.floor(total / 2 / 32) * 32;
  const zeros = words(total / 32 - 4, 0);
  return [
    ['BICONOMY', '2.0.0', 'many elements, all one', `0x47e1da2a${threeLists(n, half)}`],
    ['BICONOMY', '2.0.0', '100 elements, all one', `0x47e1da2a${threeLists(100, total - 13_000)}`],
    ['BICONOMY', '2.0.0', 'three lists at one place', `0x47e1da2a${words(3, 96)}${zeros}`],
    ['BICONOMY', '2.0.0', 'a list of 2^32 - 1', `0x47e1da2a${word(96)}${words(total / 32 - 1, 2n ** 32n - 1n)}`],
    ['INFINITISM', '1.0.0', 'two lists at one place', `0x18dfb3c7${words(2, 64)}${zeros}`],
    ['INFINITISM', '1.0.0', 'tuples at one place', `0x34fcd5be${word(32)}${sharedElements(n, half)}`],
    ['INFINITISM', '1.0.0', 'offsets to themselves', `0x34fcd5be${words(total / 32, 32)}`],
    ['SAFE', '1.4.1', 'offsets to themselves', `0x7bb37428${words(total / 32, 128)}`],
    ['NEXUS', '1.0.0', 'a batch at one place', `0xe9ae5c53${word(1n << 248n)}${word(64)}${sharedElements(n, half)}`],
  ];
}

function accountNamed(name: string) {
  return { sponsorshipInfo: { smartAccountInfo: { name, version: '1.0.0' } } };
}

/** Whole bodies that are expensive for anyone who parses or walks them carelessly. */
const bodyBombs: readonly (readonly [name: string, body: string, code: number])[] = [
  ['60,000 lists in each other', `${'['.repeat(60_000)}${']'.repeat(60_000)}`, -32600],
  ['20,000 objects in each other', `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`, -32600],
  ['an open end', '['.repeat(100_000), -32600],
  ['a batch of 40,000', `[${'{},'.repeat(40_000)}{}]`, -32600],
  ['a batch of 40,000 batches', `[${'[],'.repeat(40_000)}[]]`, -32600],
  ['a number of 100,000 digits', `{"jsonrpc":"2.0","id":${'9'.repeat(100_000)},"method":"a"}`, -32600],
  ['a text of 100,000 escapes', `"${'\\\\'.repeat(50_000)}`, -32700],
  ['129 KiB', `{"a":"${'a'.repeat(129 * 1024)}"}`, -32600],
];

/** Threat 8: what is small to send must not be much to work on. */
describe('bombs through the RPC', () => {
  const service = useService();
  const paymasters: DevPaymaster[] = [];
  beforeAll(async () => {
    const { authToken } = await service().issueAccount();
    for (const version of entryPointVersions) paymasters.push(await service().fundedPaymaster(authToken, version));
  });
  const stillServes = async () => {
    const [paymaster] = paymasters;
    if (paymaster === undefined) throw new Error('There is no paymaster.');
    const operation = await newOperation(service().devnet, paymaster.entryPointVersion);
    resultOf(await callRpc(paymaster.rpcUrl, [operation, sponsored]));
  };

  describe.each([40, 60])('call data of %i KiB', (kib) => {
    test.each(callDataBombs(kib))('for a %s %s account, %s: not understood', async (name, version, _bomb, callData) => {
      for (const { rpcUrl, entryPointVersion } of paymasters) {
        const operation = { ...(await newOperation(service().devnet, entryPointVersion)), callData };
        const context = { ...sponsored, sponsorshipInfo: { smartAccountInfo: { name, version } } };
        expect(refusalOf(await callRpc(rpcUrl, [operation, context]))).toEqual([422, -32013, 'CALL_NOT_UNDERSTOOD']);
      }
      await stillServes();
    });
  });

  test('call data of 128 KiB does not fit into a request', async () => {
    for (const { rpcUrl, entryPointVersion } of paymasters) {
      const [[, , , callData] = []] = callDataBombs(128);
      const operation = { ...(await newOperation(service().devnet, entryPointVersion)), callData };
      const answer = await callRpc(rpcUrl, [operation, sponsored]);
      expect([answer.status, (answer.json as Rpc).error?.code]).toEqual([413, -32600]);
    }
    await stillServes();
  });

  test.each(bodyBombs)('a body of %s is refused', async (_name, body, code) => {
    const [paymaster] = paymasters;
    const answer = await postRpc(paymaster?.rpcUrl ?? '', body);
    expect([400, 413]).toContain(answer.status);
    expect((answer.json as Rpc).error?.code).toBe(code);
    await stillServes();
  });

  test.each<[string, object, object]>([
    ['4,000 tokens', {}, { mode: 'ERC20', tokenInfo: { tokenList: Array.from({ length: 4_000 }, () => '0x') } }],
    ['a nonce of 100,000 digits', { nonce: '9'.repeat(100_000) }, {}],
    ['a fee of 100,000 hex digits', { maxFeePerGas: `0x${'f'.repeat(100_000)}` }, {}],
    ['a sender of 100,000 digits', { sender: `0x${'a'.repeat(100_000)}` }, {}],
  ])('%s: -32602 in few words', async (_name, operationFields, contextFields) => {
    const [paymaster] = paymasters;
    if (paymaster === undefined) throw new Error('There is no paymaster.');
    const operation = { ...(await newOperation(service().devnet, paymaster.entryPointVersion)), ...operationFields };
    const answer = await callRpc(paymaster.rpcUrl, [operation, { ...sponsored, ...contextFields }]);
    expect(refusalOf(answer)).toEqual([400, -32602, 'INVALID_PARAMS']);
    expect(answer.text.length).toBeLessThan(1_000);
    await stillServes();
  });

  test('an account name of 100,000 letters is no bomb: it is not needed where the call is read by the account’s code', async () => {
    const [paymaster] = paymasters;
    if (paymaster === undefined) throw new Error('There is no paymaster.');
    const operation = await newOperation(service().devnet, paymaster.entryPointVersion);
    const answer = await callRpc(paymaster.rpcUrl, [operation, { ...sponsored, ...accountNamed('a'.repeat(100_000)) }]);
    expect(answer.status).toBe(200);
    expect(answer.text.length).toBeLessThan(2_000);
    await stillServes();
  });

  test('webhookData of 4,000 keys is no bomb, and one of more values than a body may have is refused', async () => {
    const ofKeys = (length: number) => Object.fromEntries(Array.from({ length }, (_, index) => [`k${index}`, 1]));
    const [paymaster] = paymasters;
    if (paymaster === undefined) throw new Error('There is no paymaster.');
    const operation = await newOperation(service().devnet, paymaster.entryPointVersion);
    const askWith = (webhookData: object) => {
      const sponsorshipInfo = { ...sponsored.sponsorshipInfo, webhookData };
      return callRpc(paymaster.rpcUrl, [operation, { ...sponsored, sponsorshipInfo }]);
    };
    resultOf(await askWith(ofKeys(4_000)));
    const refused = await askWith(ofKeys(10_000));
    expect([refused.status, (refused.json as Rpc).error?.code]).toEqual([413, -32600]);
    await stillServes();
  });
});
