import { concatHex, type Hex, parseEther, size } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entryPointVersions } from '../../core/domain/entry-point-version.ts';
import type { SponsorshipMode } from '../../core/domain/sponsorship.ts';
import {
  approveAll,
  land,
  mintTo,
  newAccountOperation,
  setDeposit,
  signForBundle,
  tryBundle,
} from '../support/paymaster-contracts/send-sponsored.ts';
import {
  type SingletonLab,
  singleton,
  singletonContract,
  singletonFamily,
  startSingletonLab,
  termsOf,
} from '../support/paymaster-contracts/singleton-lab.ts';

const modes = ['SPONSORED', 'ERC20'] as const satisfies SponsorshipMode[];
const kinds = entryPointVersions.flatMap((version) => modes.map((mode) => ({ version, mode })));
/** Bytes after an approval that make the whole call data 64 KiB, the most that is accepted. */
const filler: Hex = `0x${'ab'.repeat(65_536 - 256)}`;

let lab: SingletonLab;
let salt = 0n;
beforeAll(async () => {
  lab = await startSingletonLab();
});
afterAll(() => lab.close());

async function operationOf(kind: (typeof kinds)[number], extraData: Hex = '0x') {
  const token = lab.devnet.tokens[1];
  if (token === undefined) throw new Error('the chain has no token');
  const { address: paymaster } = singletonContract(lab.devnet, kind.version);
  salt += 1n;
  const call = { target: token.address, data: concatHex([approveAll(paymaster), extraData]) };
  const operation = await newAccountOperation(lab, singleton(lab, kind.version), { mode: kind.mode, ...call, salt });
  await mintTo(lab, token.address, operation.sender);
  const signedTerms = termsOf(kind.mode, token.address, lab.devnet.tokenRecipient, 3n * 10n ** 18n);
  return { operation, token: token.address, signedTerms };
}

describe.each(kinds)('the contract of EntryPoint $version in mode $mode on a real chain', (kind) => {
  const family = singletonFamily(kind.version);

  test('an operation with the limits of the family lands within worst case and maximum charge', async () => {
    await setDeposit(lab, singleton(lab, kind.version), parseEther('10'));
    const { operation, token, signedTerms } = await operationOf(kind);
    const landed = await land(
      lab,
      operation,
      await signForBundle(lab, singleton(lab, kind.version), operation, signedTerms),
      token,
    );
    expect(landed.success).toBe(true);
    expect(landed.actualGasCost).toBeLessThanOrEqual(family.worstCase(operation, signedTerms));
    expect(landed.charged).toBeLessThanOrEqual(family.maximumTokenCharge(operation, signedTerms));
    // The user pays for everything the EntryPoint took; sponsored, for nothing.
    if (signedTerms.mode === 'ERC20') expect(landed.charged).toBeGreaterThanOrEqual(landed.actualGasCost * 3n);
    else expect(landed.charged).toBe(0n);
  });

  test('the tokens cover the fine for a call gas limit far above the need', async () => {
    await setDeposit(lab, singleton(lab, kind.version), parseEther('10'));
    const { operation, token, signedTerms } = await operationOf(kind);
    const wasteful = { ...operation, gas: { ...operation.gas, callGasLimit: 3_000_000n } };
    const landed = await land(
      lab,
      wasteful,
      await signForBundle(lab, singleton(lab, kind.version), wasteful, signedTerms),
      token,
    );
    expect(landed.actualGasCost).toBeLessThanOrEqual(family.worstCase(wasteful, signedTerms));
    expect(landed.charged).toBeLessThanOrEqual(family.maximumTokenCharge(wasteful, signedTerms));
    if (signedTerms.mode === 'ERC20') expect(landed.charged).toBeGreaterThanOrEqual(landed.actualGasCost * 3n);
  });

  test('the worst case is exactly the deposit the EntryPoint asks for', async () => {
    const { operation, signedTerms } = await operationOf(kind);
    const bundle = await signForBundle(lab, singleton(lab, kind.version), operation, signedTerms);
    const worstCase = family.worstCase(operation, signedTerms);
    await setDeposit(lab, singleton(lab, kind.version), worstCase - 1n);
    await expect(tryBundle(lab, operation, bundle)).rejects.toThrow('AA31');
    await setDeposit(lab, singleton(lab, kind.version), worstCase);
    await expect(tryBundle(lab, operation, bundle)).resolves.toBeUndefined();
  });

  test('an operation with 64 KiB of call data lands too', async () => {
    await setDeposit(lab, singleton(lab, kind.version), parseEther('10'));
    const { operation, token, signedTerms } = await operationOf(kind, filler);
    expect(size(operation.callData)).toBeGreaterThan(65_400);
    expect(size(operation.callData)).toBeLessThanOrEqual(65_536);
    const gas = { ...operation.gas, callGasLimit: 500_000n, preVerificationGas: 2_700_000n };
    const long = { ...operation, gas };
    const landed = await land(
      lab,
      long,
      await signForBundle(lab, singleton(lab, kind.version), long, signedTerms),
      token,
    );
    expect(landed.success).toBe(true);
  });
});
