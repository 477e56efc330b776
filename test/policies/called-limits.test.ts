import {
  type Address,
  concatHex,
  encodeFunctionData,
  type Hex,
  multicall3Abi,
  parseAbi as parseSignatures,
} from 'viem';
import { describe, expect, test } from 'vitest';
import type { PolicyLimit } from '../../core/domain/policy.ts';
import { parseAbi, toContractMethods } from '../../core/evm/abi/parse-abi.ts';
import { findAccountDecoder } from '../../core/evm/account-decoders/find-decoder.ts';
import { calledKey, countCalls, readCalledLimits } from '../../core/policies/called-limits.ts';
import { ruleOnCalledLimits } from '../../core/policies/rules/rule-on-limit.ts';
import { accountMethods, type FullCall } from '../support/accounts/account-kinds.ts';
import { accepted } from '../support/core/start-management.ts';

const game: Address = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
const multicall3: Address = '0xcA11bde05977b3631167028862bE2a173976CA11';
const token: Address = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';
const gameAbi = parseSignatures([
  'function mint(address to)',
  'function mint(address to, uint256 count)',
  'function burn(uint256 id)',
  'function multicall(bytes[] data)',
]);
const tokenAbi = parseSignatures(['function approve(address spender, uint256 amount)']);
const registered = new Map([[game.toLowerCase(), toContractMethods(accepted(parseAbi(JSON.stringify(gameAbi))))]]);

const mint = encodeFunctionData({ abi: gameAbi, functionName: 'mint', args: [token] });
const mintMany = encodeFunctionData({ abi: gameAbi, functionName: 'mint', args: [token, 2n] });
const burn = encodeFunctionData({ abi: gameAbi, functionName: 'burn', args: [2n ** 256n - 1n] });
const own = (...data: readonly Hex[]) => encodeFunctionData({ abi: gameAbi, functionName: 'multicall', args: [data] });
const aggregate = (...data: readonly Hex[]) =>
  encodeFunctionData({
    abi: multicall3Abi,
    functionName: 'aggregate3',
    args: [data.map((callData) => ({ target: game, allowFailure: true, callData }))],
  });
const approve = encodeFunctionData({ abi: tokenAbi, functionName: 'approve', args: [game, 2n ** 255n] });

const call = (data: Hex, target: Address = game): FullCall => ({ target, value: 0n, data });

/** How many calls a limit of the game counts: of a method, or of all. */
function counted(method: string | undefined, calls: readonly FullCall[]): number | undefined {
  const named = method === undefined ? { contract: game } : { contract: game, method };
  const limit: PolicyLimit = { per: 'total', window: 'day', unit: 'operations', max: 1n, ...named };
  const { limits, problems } = readCalledLimits([limit], registered);
  expect(problems).toEqual([]);
  const asked = calls.map(({ target, data, value }) => ({
    target,
    ...(data === '0x' ? {} : { selector: data.slice(0, 10) as Hex }),
    content: { value, data },
  }));
  return countCalls(limits, asked).get(calledKey(limit) ?? '');
}

const single = 'mint(address)';
test.each<[string, string | undefined, readonly FullCall[], number]>([
  ['a call of the method', single, [call(mint)], 1],
  ['each call of a batch', single, [call(mint), call(burn), call(mint)], 2],
  ['the contract however its address is written', single, [call(mint, game.toLowerCase() as Address)], 1],
  ['no overload that the signature is not of', single, [call(mintMany)], 0],
  ['all overloads of a name', 'mint', [call(mint), call(mintMany)], 2],
  ['no call of another contract', single, [call(mint, token)], 0],
  ['no approval of the contract, which is none of its calls', undefined, [call(approve, token)], 0],
  ['all calls of a contract', undefined, [call(mint), call(burn), call('0x')], 3],
  ['a plain transfer, which may do anything', single, [call('0x')], 1],
  ['a selector that only a fallback can take', single, [call('0xdeadbeef')], 1],
  ['less than a selector', single, [call('0xde')], 1],
  ['calls in the contract’s own multicall', single, [call(own(mint, burn, mint))], 2],
  ['calls in a multicall of another contract', single, [call(aggregate(mint, mint, burn), multicall3)], 2],
  ['a multicall of multicalls', single, [call(aggregate(own(mint, own(mint))), multicall3)], 2],
  [
    'calls that stand at no whole word',
    single,
    [call(concatHex(['0x00000000', '0xff', game.toLowerCase() as Hex, mint, mint]), token)],
    2,
  ],
  [
    'a call in the first bytes after a selector',
    single,
    [call(concatHex(['0x00000000', mint, game.toLowerCase() as Hex]), token)],
    1,
  ],
  ['no selector in data that neither goes to the contract nor names it', single, [call(own(mint), token)], 0],
  ['calls of the contract in a multicall', undefined, [call(aggregate(mint, burn), multicall3)], 2],
])('a limit counts %s', (_, method, calls, count) => {
  expect(counted(method, calls)).toBe(count);
});

test.each(accountMethods.filter(({ maxCalls }) => maxCalls > 2))(
  'a batch of $account $version by $method counts each of its calls',
  ({ account, version, entryPointVersion, encode }) => {
    const decoder = findAccountDecoder(account, version);
    const decoded = decoder?.decode(encode([call(mint), call(burn), call(mint)]), entryPointVersion);
    if (decoded?.understood !== true) throw new Error(`It was not understood: ${decoded?.why}`);
    expect(counted(single, decoded.calls)).toBe(2);
  },
);

describe('a limit that does not fit its contract any more', () => {
  const limit: PolicyLimit = {
    per: 'total',
    window: 'day',
    unit: 'operations',
    max: 1n,
    contract: game,
    method: 'gone',
  };
  const refusalOf = (contracts: typeof registered, { target, data, value }: FullCall) => {
    const { limits } = readCalledLimits([limit], contracts);
    return ruleOnCalledLimits(limits, [{ target, content: { value, data } }])[0]?.refusal;
  };

  test('says what would fit', () => {
    const of = (contracts: typeof registered) => readCalledLimits([limit], contracts).problems[0];
    expect(of(registered)).toMatchObject({
      field: 'limits[0].method',
      requirement: 'must be a state-changing method of the registered ABI: mint, burn, multicall',
    });
    expect(of(new Map())).toMatchObject({ field: 'limits[0].contract' });
    expect(of(new Map([[game.toLowerCase(), { methods: [], selectors: new Set() }]]))).toMatchObject({
      requirement: 'must be a state-changing method of the registered ABI: it has none',
    });
  });

  test.each([
    ['the method is gone', registered],
    ['the contract is gone', new Map()],
  ])('lets no call of the contract through when %s, nor one with it in its data', (_, contracts) => {
    const problem = readCalledLimits([limit], contracts).problems[0];
    expect(refusalOf(contracts, call(burn))).toMatchObject({
      reason: 'LIMIT_EXCEEDED',
      message: expect.stringContaining(`${problem?.field} ${problem?.requirement}`),
      details: { target: game },
    });
    expect(refusalOf(contracts, call(aggregate(burn), multicall3))).toMatchObject({ reason: 'LIMIT_EXCEEDED' });
    expect(refusalOf(contracts, call(burn, token))).toBeUndefined();
    const { limits } = readCalledLimits([limit], contracts);
    expect(ruleOnCalledLimits(limits, [{ target: token, content: undefined }])).toEqual([]);
  });
});
