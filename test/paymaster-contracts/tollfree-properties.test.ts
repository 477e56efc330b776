import fc from 'fast-check';
import { type Address, concatHex, encodeFunctionData, type Hex, parseAbi, parseEther } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { UserOperationWithGas } from '../../core/domain/user-operation.ts';
import {
  delegationCode,
  eip7702Marker,
  isEip7702InitCode,
  shortEip7702Marker,
} from '../../core/evm/entry-point/eip7702.ts';
import { packUserOperation } from '../../core/evm/entry-point/packed-user-operation.ts';
import type { SignedTerms } from '../../core/evm/paymaster-contracts/family/family.ts';
import { stubSignature } from '../../core/evm/paymaster-contracts/family/signed-fields.ts';
import { gasSchedules } from '../../core/gas/gas-schedule.ts';
import { devTargetAbi } from '../../server/dev/devnet/contracts.generated.ts';
import { tollfreePaymasterAbi } from '../../server/paymaster-contract/tollfree-paymaster.generated.ts';
import { arbitraryHex, arbitraryOperation, arbitraryUint } from '../support/arbitrary/arbitrary-operation.ts';
import { arbitraryTerms } from '../support/arbitrary/arbitrary-terms.ts';
import { depositOf } from '../support/chain/chain-lab.ts';
import {
  type DeployedPaymaster,
  type PaymasterLab,
  startPaymasterLab,
} from '../support/paymaster-contracts/paymaster-lab.ts';
import {
  approveAll,
  land,
  mintTo,
  newAccountOperation,
  setDeposit,
  signForBundle,
} from '../support/paymaster-contracts/send-sponsored.ts';
import { termsOf } from '../support/paymaster-contracts/singleton-lab.ts';
import { deployTollfree, type TollfreeName } from '../support/paymaster-contracts/tollfree-lab.ts';
import { repeatsOfRun } from '../support/run/rows-of-run.ts';

/** `npm run test:contract-fuzz` looks for the same with forge, as long as one lets it. */
const seed = 7;
const names = ['tollfree-0.8', 'tollfree-0.9'] as const satisfies readonly TollfreeName[];
const delegates = [`0x${'a1'.repeat(20)}`, `0x${'a2'.repeat(20)}`] as const satisfies readonly Address[];

let lab: PaymasterLab;
const deployed = new Map<TollfreeName, DeployedPaymaster>();
beforeAll(async () => {
  lab = await startPaymasterLab();
  for (const name of names) deployed.set(name, await deployTollfree(lab, name));
});
afterAll(() => lab.close());

function paymasterOf(name: TollfreeName): DeployedPaymaster {
  const paymaster = deployed.get(name);
  if (paymaster === undefined) throw new Error(`${name} is not deployed.`);
  return paymaster;
}

/** Each way to write an `initCode`, also with the delegates' addresses instead of the marker. */
const initCodes = fc.oneof(
  fc.constantFrom<Hex>('0x', '0x77', shortEip7702Marker, '0x770200', eip7702Marker, ...delegates),
  fc
    .tuple(fc.constantFrom<Hex>(eip7702Marker, ...delegates), arbitraryHex({ minLength: 1, maxLength: 3 }))
    .map((parts) => concatHex(parts)),
);
const knownTerms = fc
  .tuple(fc.oneof(arbitraryTerms('SPONSORED'), arbitraryTerms('ERC20')), fc.boolean(), arbitraryUint(128))
  .map(
    ([signedTerms, trails, inAdvance]): SignedTerms => ({
      ...signedTerms,
      ...(signedTerms.mode === 'ERC20' ? { inAdvance } : {}),
      ...(trails ? { signatureTrails: true as const } : {}),
    }),
  );
const operations = (version: '0.8' | '0.9') =>
  fc
    .tuple(arbitraryOperation(version), initCodes, fc.constantFrom(...delegates))
    .map(
      ([operation, initCode, eip7702Delegate]): UserOperationWithGas => ({ ...operation, initCode, eip7702Delegate }),
    );

/** What the contract hashes while the sender delegates as the operation says. */
async function hashOnChain({ contract }: DeployedPaymaster, operation: UserOperationWithGas, data: Hex): Promise<Hex> {
  const { client } = lab.devnet;
  const { sender, eip7702Delegate = delegates[0] } = operation;
  await client.setCode({ address: sender, bytecode: delegationCode(eip7702Delegate) });
  return client.readContract({
    address: contract.address,
    abi: tollfreePaymasterAbi,
    functionName: 'getHash',
    args: [packUserOperation(operation, data)],
  });
}

describe.each(names)('%s', (name) => {
  const version = name === 'tollfree-0.8' ? '0.8' : '0.9';

  test('hashes any operation and terms as the service does', async () => {
    const paymaster = paymasterOf(name);
    const property = fc.asyncProperty(operations(version), knownTerms, async (operation, signedTerms) => {
      const { unsigned, digest } = paymaster.family.prepare(paymaster.contract, operation, signedTerms);
      const data = paymaster.family.assemble(unsigned, stubSignature);
      expect(await hashOnChain(paymaster, operation, data)).toBe(digest);
    });
    await fc.assert(property, { seed, numRuns: repeatsOfRun(20, 60) });
  });
});

type Signed = { readonly operation: UserOperationWithGas; readonly signedTerms: SignedTerms };

/** All that the EntryPoint knows of the operation apart from its two signatures, and whom a marked sender delegates to. */
function fieldsOf({ contract, family }: DeployedPaymaster, { operation, signedTerms }: Signed): string {
  const { unsigned } = family.prepare(contract, operation, signedTerms);
  const { signature: _, nonce, preVerificationGas, ...packed } = packUserOperation(operation, unsigned);
  const delegate = isEip7702InitCode(operation.initCode) ? operation.eip7702Delegate : undefined;
  return JSON.stringify({ ...packed, nonce: `${nonce}`, preVerificationGas: `${preVerificationGas}`, delegate });
}

/** Two operations that differ in some of their fields, often in one alone or none. */
const pairs = fc
  .record({
    one: operations('0.9'),
    other: operations('0.9'),
    knownTerms: fc.tuple(knownTerms, knownTerms),
    taken: fc.subarray(['initCode', 'eip7702Delegate', 'callData', 'nonce', 'sender', 'gas', 'maxFeePerGas'] as const, {
      maxLength: 2,
    }),
    sameTerms: fc.boolean(),
  })
  .map(({ one, other, knownTerms: [first, second], taken, sameTerms }): readonly [Signed, Signed] => {
    const changes = Object.fromEntries(taken.map((field) => [field, other[field]]));
    return [
      { operation: one, signedTerms: first },
      { operation: { ...one, ...changes }, signedTerms: sameTerms ? first : second },
    ];
  });

test('operations have one digest where all of their fields are the same, and nowhere else', async () => {
  const paymaster = paymasterOf('tollfree-0.9');
  const hash = ({ operation, signedTerms }: Signed) => {
    const { unsigned } = paymaster.family.prepare(paymaster.contract, operation, signedTerms);
    return hashOnChain(paymaster, operation, paymaster.family.assemble(unsigned, stubSignature));
  };
  const property = fc.asyncProperty(pairs, async ([one, other]) => {
    const same = fieldsOf(paymaster, one) === fieldsOf(paymaster, other);
    expect((await hash(one)) === (await hash(other))).toBe(same);
  });
  await fc.assert(property, { seed, numRuns: repeatsOfRun(40, 120) });
});

/** An operation of the account that `prepareAccount` makes. */
const wishes = fc.record({
  mode: fc.constantFrom('SPONSORED', 'ERC20'),
  call: fc.constantFrom('increment', 'fail', 'revoke', 'approve'),
  callGasLimit: fc.bigInt({ min: 1_000n, max: 100_000n }),
  postOpGasLimit: fc.bigInt({ min: 100n, max: 60_000n }),
  maxFeePerGas: fc.bigInt({ min: 200_000_000n, max: 10n ** 10n }),
  exchangeRate: fc.bigInt({ min: 1n, max: 10n ** 19n }),
  takesAdvance: fc.boolean(),
});

const plain = {
  callGasLimit: 90_000n,
  postOpGasLimit: 60_000n,
  maxFeePerGas: 10n ** 9n,
  exchangeRate: 10n ** 18n,
} as const;
/** What comes first: tokens of a sender who has revoked the approval, then of one who has given it again. */
const firstOnes = [
  { ...plain, mode: 'SPONSORED', call: 'revoke', takesAdvance: false },
  { ...plain, mode: 'ERC20', call: 'increment', takesAdvance: true },
  { ...plain, mode: 'SPONSORED', call: 'approve', takesAdvance: false },
  { ...plain, mode: 'ERC20', call: 'increment', takesAdvance: false },
] as const;

async function prepareAccount(paymaster: DeployedPaymaster, token: Address) {
  const executeAbi = parseAbi(['function execute(address dest, uint256 value, bytes func)']);
  const { target } = lab.devnet;
  const approval = approveAll(paymaster.contract.address);
  const calls: Record<string, readonly [Address, Hex]> = {
    increment: [target.address, encodeFunctionData({ abi: devTargetAbi, functionName: 'increment' })],
    fail: [target.address, encodeFunctionData({ abi: devTargetAbi, functionName: 'fail' })],
    approve: [token, approval],
    revoke: [token, `${approval.slice(0, 74)}${'0'.repeat(64)}` as Hex],
  };
  const made = { mode: 'SPONSORED', target: token, data: approval, salt: 4_242n } as const;
  const first = await newAccountOperation(lab, paymaster, made);
  await mintTo(lab, token, first.sender);
  const sponsored = termsOf('SPONSORED', token, lab.devnet.tokenRecipient);
  await land(lab, first, await signForBundle(lab, paymaster, first, sponsored), token);
  return (call: string, nonce: bigint): UserOperationWithGas => {
    const [dest, data] = calls[call] ?? [target.address, '0x'];
    return {
      ...first,
      nonce,
      initCode: '0x',
      callData: encodeFunctionData({ abi: executeAbi, args: [dest, 0n, data] }),
    };
  };
}

test.each(['tollfree-0.8', 'tollfree-0.9'] as const)(
  '%s takes no more from the deposit and from the sender than was signed, whatever becomes of calls and payments',
  async (name) => {
    const paymaster = paymasterOf(name);
    const { family, contract } = paymaster;
    const token = lab.devnet.tokens[0]?.address ?? '0x';
    await setDeposit(lab, paymaster, parseEther('5'));
    const operationFor = await prepareAccount(paymaster, token);
    const deposit = () => depositOf(lab.devnet, family.entryPointVersion, contract.address);
    let nonce = 1n;
    const outcomes = new Set<string>();
    const property = fc.asyncProperty(wishes, async (wish) => {
      const made = operationFor(wish.call, nonce);
      const { mode, callGasLimit, maxFeePerGas } = wish;
      const paymasterPostOpGasLimit = mode === 'ERC20' ? wish.postOpGasLimit : 0n;
      const gas = {
        ...made.gas,
        ...family.paymasterGasLimits(mode, gasSchedules.osaka),
        callGasLimit,
        paymasterPostOpGasLimit,
      };
      const operation = { ...made, maxFeePerGas, gas };
      const terms = termsOf(mode, token, lab.devnet.tokenRecipient, wish.exchangeRate);
      const advance =
        terms.mode === 'ERC20' && wish.takesAdvance ? family.mostInAdvance?.(operation, terms) : undefined;
      const signedTerms: SignedTerms =
        advance === undefined || terms.mode !== 'ERC20' ? terms : { ...terms, inAdvance: advance };
      const before = await deposit();
      const bundle = await signForBundle(lab, paymaster, operation, signedTerms);
      // An advance of a sender that has revoked its approval fails in the validation.
      const landed = await land(lab, operation, bundle, token).catch(() => undefined);
      const fallen = before - (await deposit());
      outcomes.add(landed === undefined ? 'not taken' : `${mode} ${landed.success}`);
      if (landed === undefined) {
        expect(fallen).toBe(0n);
        return;
      }
      nonce += 1n;
      expect(fallen).toBeLessThanOrEqual(family.worstCase(operation, signedTerms));
      expect(landed.charged).toBeLessThanOrEqual(family.maximumTokenCharge(operation, signedTerms));
      if (mode === 'ERC20' && landed.success) expect(landed.charged).toBeGreaterThan(0n);
    });
    await fc.assert(property, { seed, numRuns: repeatsOfRun(10, 30), examples: firstOnes.map((wish) => [wish]) });
    expect(outcomes).toEqual(new Set(['not taken', 'SPONSORED true', 'SPONSORED false', 'ERC20 true', 'ERC20 false']));
  },
);
