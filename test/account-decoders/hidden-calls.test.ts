import { type AbiFunction, type Address, concatHex, encodeFunctionData, type Hex, parseAbi, parseAbiItem } from 'viem';
import { describe, expect, test } from 'vitest';
import { accountDecoders, detectAccount, findAccountDecoder } from '../../core/evm/account-decoders/find-decoder.ts';
import { encodeInitSafe7579, type InitData, initDataWith, setupSafe } from '../support/accounts/account-kinds.ts';

const target: Address = `0x${'ab'.repeat(20)}`;
const attacker: Address = `0x${'66'.repeat(20)}`;
const prefix: Hex = '0x8dd7712f';
const erc7579Abi = parseAbi(['function execute(bytes32 mode, bytes executionCalldata)']);
const abi = parseAbi([
  'function execute(address target, uint256 value, bytes data)',
  'function installModule(uint256 moduleType, address module, bytes initData)',
  'function upgradeToAndCall(address implementation, bytes data)',
  'function delegateExecute(address delegate, bytes data)',
  'function onInstall(bytes data)',
  'function redeemDelegations(bytes[] contexts, bytes32[] modes, bytes[] executions)',
]);

/** `execute` of ERC-7579 with one plain call, or with another call type. */
function erc7579Call(callType = '00'): Hex {
  const args = [`0x${callType.padEnd(64, '0')}`, `${target}${'00'.repeat(32)}12345678`] as const;
  return encodeFunctionData({ abi: erc7579Abi, args });
}

function whyNot(name: string, version: string, callData: Hex) {
  const decoded = findAccountDecoder(name, version)?.decode(callData, '0.7');
  return decoded?.understood === false ? decoded.why : 'understood';
}

const userOpAccounts = [
  ['KERNEL', '3.1'],
  ['NEXUS', '1.0.0'],
  ['SAFE_7579', '1.0.0'],
] as const;

describe.each(userOpAccounts)('behind executeUserOp of %s %s', (name, version) => {
  test.each<[string, Hex]>([
    ['nothing', '0x'],
    ['half a selector', '0xe9ae'],
    ['the same prefix again', concatHex([prefix, erc7579Call()])],
    ['an installation', encodeFunctionData({ abi, functionName: 'installModule', args: [1n, attacker, '0x'] })],
    ['an upgrade', encodeFunctionData({ abi, functionName: 'upgradeToAndCall', args: [attacker, '0x'] })],
    ['a delegate call', erc7579Call('ff')],
    ["another account's method", encodeFunctionData({ abi, functionName: 'execute', args: [target, 0n, '0x'] })],
    ['a call and a byte more', concatHex([erc7579Call(), '0x00'])],
  ])('%s is not understood', (_, inner) => {
    expect(whyNot(name, version, concatHex([prefix, inner]))).not.toBe('understood');
  });

  test('a method that makes no calls is said to be the reason', () => {
    const inner = encodeFunctionData({ abi, functionName: 'installModule', args: [1n, attacker, '0x'] });
    expect(whyNot(name, version, concatHex([prefix, inner]))).toBe(
      'executeUserOp contains a method that is not known to make calls',
    );
  });

  test('an execution is understood', () => {
    expect(whyNot(name, version, concatHex([prefix, erc7579Call()]))).toBe('understood');
  });
});

test('accounts of 0.6, and those that give the prefix another meaning or none, do not understand it', () => {
  const callData = concatHex([prefix, erc7579Call()]);
  expect(detectAccount(accountDecoders, callData, '0.6').understood).toBe(false);
  for (const [name, version] of [
    ['ERC7579', '1.0.0'],
    ['METAMASK', '1.0.0'],
    ['SOLADY', '1.0.0'],
    ['CIRCLE', '1.0.0'],
    ['CALIBUR', '1.0.0'],
  ] as const) {
    expect(whyNot(name, version, callData), name).not.toBe('understood');
  }
});

test.each<[string, Hex]>([
  ['SOLADY', encodeFunctionData({ abi, functionName: 'delegateExecute', args: [attacker, '0x12345678'] })],
  ['METAMASK', encodeFunctionData({ abi, functionName: 'redeemDelegations', args: [['0x'], [], []] })],
  ['METAMASK', erc7579Call('ff')],
])('%s: what makes other calls than those it names is not understood', (name, callData) => {
  expect(whyNot(name, '1.0.0', callData)).not.toBe('understood');
});

describe("the launchpad's setup", () => {
  const item = parseAbiItem(setupSafe) as AbiFunction;
  const setup = (over: Partial<InitData>): Hex =>
    encodeFunctionData({ abi: [item], args: [{ ...initDataWith(erc7579Call()), ...over }] });
  const why = (over: Partial<InitData>) => whyNot('SAFE_7579', '1.0.0', setup(over));

  test('is understood with nothing in it but calls', () => {
    expect(why({})).toBe('understood');
  });

  test.each<[string, Partial<InitData>, string]>([
    ['another singleton, which the account would delegate to', { singleton: attacker }, 'another account'],
    ['a delegate call to other code', { setupTo: attacker }, 'another account'],
    ['another adapter', { safe7579: attacker }, 'another account'],
    ['another adapter in the setup', { setupData: encodeInitSafe7579({ adapter: attacker }) }, 'another adapter'],
    [
      'an executor, which could call anything later',
      { setupData: encodeInitSafe7579({ executors: [{ module: attacker, initData: '0x' }] }) },
      'installs an executor',
    ],
    [
      'a fallback, which anybody could call',
      { setupData: encodeInitSafe7579({ fallbacks: [{ module: attacker, initData: '0x' }] }) },
      'installs an executor, a fallback or a hook',
    ],
    [
      'a hook, which could stop everything',
      { setupData: encodeInitSafe7579({ hooks: [{ module: attacker, initData: '0x' }] }) },
      'installs an executor, a fallback or a hook',
    ],
    ['another method of the launchpad', { setupData: '0x12345678' }, 'initSafe7579'],
    ['bytes behind the setup', { setupData: concatHex([encodeInitSafe7579(), `0x${'00'.repeat(32)}`]) }, 'more data'],
    ['no calls', { callData: '0x' }, 'not known to make calls'],
    ['a delegate call', { callData: erc7579Call('ff') }, 'execution mode'],
    [
      'an upgrade at its end',
      { callData: encodeFunctionData({ abi, functionName: 'upgradeToAndCall', args: [attacker, '0x'] }) },
      'not known',
    ],
    ['another setup in it', { callData: setup({}) }, 'not known'],
    ['the prefix in it', { callData: concatHex([prefix, erc7579Call()]) }, 'not known'],
  ])('with %s is not understood', (_, over, text) => {
    expect(why(over)).toContain(text);
  });

  test('shows the validators it installs as calls, so that the whitelist has a say', () => {
    const callData = setup({ validators: [{ module: attacker, initData: '0x1234' }] });
    expect(findAccountDecoder('SAFE_7579', '1.0.0')?.decode(callData, '0.7')).toEqual({
      understood: true,
      calls: [
        {
          target: attacker,
          value: 0n,
          selector: '0x6d61fe70',
          data: encodeFunctionData({ abi, functionName: 'onInstall', args: ['0x1234'] }),
        },
        { target, value: 0n, selector: '0x12345678', data: '0x12345678' },
      ],
    });
  });

  test('counts the validators it installs among the 100 calls', () => {
    const validators = (count: number) =>
      Array.from({ length: count }, () => ({ module: attacker, initData: '0x' as Hex }));
    expect(why({ validators: validators(99) })).toBe('understood');
    expect(why({ validators: validators(100) })).toBe('there are more than 100 calls');
  });

  test('is not understood behind executeUserOp', () => {
    expect(whyNot('SAFE_7579', '1.0.0', concatHex([prefix, setup({})]))).not.toBe('understood');
  });
});
