import { type Address, concat, encodeFunctionData, type Hex, parseAbi, parseEther, zeroAddress } from 'viem';
import type { LocalAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EntryPointVersion } from '../../core/domain/entry-point-version.ts';
import { type Devnet, devnetFamilies } from '../../server/dev/devnet/devnet.ts';
import { type DevCall, encodeAccountCalls } from '../../server/dev/user-operation/build-user-operation.ts';
import type { DevUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import {
  approveCall,
  fillTank,
  newSmartAccount,
  nextOperation,
  plainLimits,
  targetCall,
  tokenWith,
  walletWith,
} from '../support/chain/chain-lab.ts';
import { tabledEntryPoints } from '../support/chain/tabled-entry-points.ts';
import { looseGivenLimitsCheck } from '../support/service/any-clock.ts';
import { readTank } from '../support/service/chain-ledger.ts';
import { chooseWallet, type LabPaymaster, openPaymaster } from '../support/service/chain-paymaster.ts';
import type { RpcAnswer } from '../support/service/chain-rpc.ts';
import { askSponsorship, sponsor } from '../support/service/chain-sponsorship.ts';
import { type RunningService, startService } from '../support/service/running-service.ts';

let service: RunningService;
let devnet: Devnet;
const paymasters = new Map<EntryPointVersion, LabPaymaster & { wallet: LocalAccount }>();

beforeAll(async () => {
  service = await startService({ configure: looseGivenLimitsCheck });
  devnet = service.devnet;
  for (const version of tabledEntryPoints) {
    const wallet = await walletWith(devnet, 0n);
    const paymaster = await openPaymaster(service, version);
    await chooseWallet(paymaster, wallet);
    await fillTank(devnet, version, wallet, parseEther('1'));
    paymasters.set(version, { ...paymaster, wallet });
  }
});
afterAll(() => service.close());

function paymasterOf(version: EntryPointVersion) {
  const paymaster = paymasters.get(version);
  if (paymaster === undefined) throw new Error('There is no paymaster.');
  return paymaster;
}

/** Wei the version's tank holds: a signature would have left its worst case here. */
function held(version: EntryPointVersion): bigint {
  const contract = devnet.paymasterContracts[devnetFamilies[version]];
  return readTank(service.config.database, contract, paymasterOf(version).wallet.address).held;
}

/** Asks with limits of our own, so that nothing but the policy can refuse. */
async function askWith(version: EntryPointVersion, callData: (sender: Address) => Hex): Promise<RpcAnswer> {
  const built = await nextOperation(devnet, newSmartAccount(version), []);
  const operation: DevUserOperation = {
    ...built,
    callData: callData(built.sender),
    ...plainLimits('undeployed'),
  };
  return askSponsorship(paymasterOf(version).rpcUrl, operation, { calculateGasLimits: false });
}

async function expectRefused(version: EntryPointVersion, callData: (sender: Address) => Hex, reason: string | RegExp) {
  const before = held(version);
  const answer = await askWith(version, callData);
  expect(answer).toMatchObject({ httpStatus: 422, code: -32013, reason: expect.stringMatching(reason) });
  expect(answer.result).toBeUndefined();
  expect(held(version)).toBe(before);
}

const stranger: Address = '0x00000000000000000000000000000000000a11ce';
const executeAbi = parseAbi(['function execute(address dest, uint256 value, bytes func)']);

function executeCall(to: Address, value: bigint, data: Hex): Hex {
  return encodeFunctionData({ abi: executeAbi, args: [to, value, data] });
}

type BadCall = readonly [name: string, call: (sender: Address, version: EntryPointVersion) => DevCall, reason: string];

const badCalls: readonly BadCall[] = [
  ['a call of another contract', () => approveCall(tokenWith(devnet, 6), stranger, 1n), 'CONTRACT_NOT_REGISTERED'],
  ['a method that is not whitelisted', () => targetCall(devnet, 'fail'), 'METHOD_NOT_WHITELISTED'],
  ['an empty call of a stranger', () => ({ to: stranger, data: '0x' }), 'CONTRACT_NOT_REGISTERED'],
  [
    'an empty call of the registered contract',
    () => ({ to: devnet.target.address, data: '0x' }),
    'METHOD_NOT_WHITELISTED',
  ],
  [
    'a selector cut short',
    () => ({ to: devnet.target.address, data: targetCall(devnet, 'increment').data.slice(0, 8) as Hex }),
    'METHOD_NOT_WHITELISTED',
  ],
  [
    'the account calling itself',
    (sender) => ({ to: sender, data: executeCall(stranger, 1n, '0x') }),
    'CONTRACT_NOT_REGISTERED',
  ],
  [
    'the EntryPoint',
    (_, version) => ({
      to: devnet.entryPoints[version],
      data: encodeFunctionData({
        abi: parseAbi(['function withdrawTo(address to, uint256 amount)']),
        args: [stranger, 1n],
      }),
    }),
    'CONTRACT_NOT_REGISTERED',
  ],
];
/** A batch of SimpleAccount 0.6 carries no value. */
const badTransfers: readonly BadCall[] = [
  ['a plain transfer to a stranger', () => ({ to: stranger, value: 1n, data: '0x' }), 'CONTRACT_NOT_REGISTERED'],
  [
    'a plain transfer to the registered contract',
    () => ({ to: devnet.target.address, value: 1n, data: '0x' }),
    'METHOD_NOT_WHITELISTED',
  ],
];
const positions = { first: 0, middle: 2, last: 4 } as const;

describe.each(tabledEntryPoints)('EntryPoint %s', (version) => {
  const calls = version === '0.6' ? badCalls : [...badCalls, ...badTransfers];
  const rows = calls.flatMap((call) => (['first', 'middle', 'last'] as const).map((location) => ({ call, location })));
  const named = rows.map(({ call: [name, make, reason], location }) => ({ name, make, reason, location }));

  test('a batch of whitelisted calls alone is sponsored', async () => {
    const increment = targetCall(devnet, 'increment');
    const answer = await askWith(version, () => encodeAccountCalls(version, Array(5).fill(increment)));
    expect(answer).toMatchObject({ httpStatus: 200, result: { MODE: 'SPONSORED' } });
    expect(held(version)).toBeGreaterThan(0n);
  });

  test.each(named)('refuses a batch whose $location call is $name', async ({ make, reason, location }) => {
    const callData = (sender: Address) => {
      const batch: DevCall[] = Array(4).fill(targetCall(devnet, 'increment'));
      batch.splice(positions[location], 0, make(sender, version));
      return encodeAccountCalls(version, batch);
    };
    await expectRefused(version, callData, reason);
  });

  test.each([...badCalls, ...badTransfers])('refuses a single call that is %s', async (_, make, reason) => {
    const callData = (sender: Address) => encodeAccountCalls(version, [make(sender, version)]);
    await expectRefused(version, callData, reason);
  });

  test('sponsors a refused account again once its batch is clean', async () => {
    const account = newSmartAccount(version);
    const { rpcUrl } = paymasterOf(version);
    const increment = targetCall(devnet, 'increment');
    const bad = await nextOperation(devnet, account, [increment, targetCall(devnet, 'fail')]);
    expect((await askSponsorship(rpcUrl, bad)).reason).toBe('METHOD_NOT_WHITELISTED');
    expect((await sponsor(rpcUrl, await nextOperation(devnet, account, [increment, increment]))).MODE).toBe(
      'SPONSORED',
    );
  });
});

/** Ways in which accounts run foreign code as their own, and other things that are no plain call. */
const foreignForms: readonly (readonly [name: string, data: (target: Address, call: Hex) => Hex])[] = [
  [
    'delegatecall(address,bytes)',
    (target, call) =>
      encodeFunctionData({ abi: parseAbi(['function delegatecall(address, bytes)']), args: [target, call] }),
  ],
  [
    'executeDelegate(address,bytes)',
    (target, call) =>
      encodeFunctionData({ abi: parseAbi(['function executeDelegate(address, bytes)']), args: [target, call] }),
  ],
  [
    'a Safe’s execTransactionFromModule with a delegate call',
    (target, call) =>
      encodeFunctionData({
        abi: parseAbi(['function execTransactionFromModule(address, uint256, bytes, uint8)']),
        args: [target, 0n, call, 1],
      }),
  ],
  [
    'an ERC-7579 execute in delegate mode',
    (target, call) =>
      encodeFunctionData({
        abi: parseAbi(['function execute(bytes32, bytes)']),
        args: [`0xff${'00'.repeat(31)}`, concat([target, call])],
      }),
  ],
  [
    'upgradeToAndCall',
    (target, call) =>
      encodeFunctionData({ abi: parseAbi(['function upgradeToAndCall(address, bytes)']), args: [target, call] }),
  ],
  [
    'executeUserOp with a plain execute inside',
    (target, call) => concat(['0x8dd7712f', executeCall(target, 0n, call)]),
  ],
  ['an execute with bytes behind its end', (target, call) => concat([executeCall(target, 0n, call), '0x00'])],
  ['a bare call of the target', (_, call) => call],
  ['four bytes that name nothing', () => '0xdeadbeef'],
];

const emptyCall = { to: zeroAddress, data: '0x' } as const;

/** Not in any account's form, or in the form of another account than the sender's known code. */
const unread = /^(CALL_NOT_UNDERSTOOD|ACCOUNT_NOT_KNOWN)$/;

describe.each(tabledEntryPoints)('EntryPoint %s and callData that is no plain call', (version) => {
  test.each(foreignForms)('refuses %s', async (_, data) => {
    const { data: increment } = targetCall(devnet, 'increment');
    await expectRefused(version, () => data(devnet.target.address, increment), unread);
  });

  // Those of 0.9 have the form of 0.8.
  const batchOf = (one: EntryPointVersion) => encodeAccountCalls(one, [emptyCall, emptyCall]);
  test.each(tabledEntryPoints.filter((other) => batchOf(other) !== batchOf(version)))(
    'refuses the batch form of an account of EntryPoint %s',
    async (other) => {
      const increment = targetCall(devnet, 'increment');
      await expectRefused(version, () => encodeAccountCalls(other, [increment, increment]), unread);
    },
  );
});
