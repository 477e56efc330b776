import fc from 'fast-check';
import { type Address, type Hex, maxUint256, parseEther } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mainnetPrices } from '../../core/domain/unit-prices.ts';
import type { UserOperationWithGas } from '../../core/domain/user-operation.ts';
import type { TokenTerms } from '../../core/evm/paymaster-contracts/family/family.ts';
import { advanceReserve } from '../../core/evm/paymaster-contracts/singleton/singleton-terms.ts';
import { gasSchedules } from '../../core/gas/gas-schedule.ts';
import { stubTerms } from '../../core/sponsorship/sponsored-terms.ts';
import { devTokenAbi } from '../../server/dev/devnet/contracts.generated.ts';
import { arbitraryOperation } from '../support/arbitrary/arbitrary-operation.ts';
import { arbitraryTerms } from '../support/arbitrary/arbitrary-terms.ts';
import { countOutcomes } from '../support/arbitrary/count-outcomes.ts';
import { withoutMargins } from '../support/estimation/estimation-corpus.ts';
import type { DeployedPaymaster } from '../support/paymaster-contracts/paymaster-lab.ts';
import {
  approveAll,
  land,
  mintTo,
  newAccountOperation,
  setDeposit,
  signForBundle,
  tryBundle,
} from '../support/paymaster-contracts/send-sponsored.ts';
import { type SingletonLab, singleton, startSingletonLab } from '../support/paymaster-contracts/singleton-lab.ts';

const versions = ['0.7', '0.8'] as const;

let lab: SingletonLab;
let salt = 9_000n;
beforeAll(async () => {
  lab = await startSingletonLab();
});
afterAll(() => lab.close());

/** The second operation of an account, whose first one approved the contract; its tokens go to a token recipient of the test. */
async function paidInAdvance(version: (typeof versions)[number], tokenRecipient: Address) {
  const paymaster = singleton(lab, version);
  const token = lab.devnet.tokens[1]?.address ?? '0x';
  salt += 1n;
  const approval = { target: token, data: approveAll(paymaster.contract.address) };
  const first = await newAccountOperation(lab, paymaster, { mode: 'ERC20', salt, ...approval });
  await mintTo(lab, token, first.sender);
  await setDeposit(lab, paymaster, parseEther('10'));
  const window = { validUntil: 4_000_000_000, validAfter: 1_000 };
  const plain: TokenTerms = {
    mode: 'ERC20',
    ...window,
    token,
    tokenRecipient,
    exchangeRate: 3n * 10n ** 18n,
    prices: mainnetPrices,
  };
  const own = { ...plain, tokenRecipient: lab.devnet.tokenRecipient };
  await land(lab, first, await signForBundle(lab, paymaster, first, own), token);
  const operation = {
    ...first,
    initCode: '0x' as Hex,
    nonce: 1n,
    gas: { ...first.gas, verificationGasLimit: 100_000n },
  };
  return { paymaster, operation, token, signedTerms: { ...plain, inAdvance: advanceOf(paymaster, operation, plain) } };
}

function advanceOf({ family }: DeployedPaymaster, operation: UserOperationWithGas, signedTerms: TokenTerms): bigint {
  if (family.mostInAdvance === undefined) throw new Error(`${family.name} takes nothing in advance.`);
  return family.mostInAdvance(operation, signedTerms);
}

async function freshTokenRecipient(token: Address, contract: Address): Promise<Address> {
  const { client } = lab.devnet;
  const tokenRecipient = privateKeyToAddress(generatePrivateKey());
  await client.setBalance({ address: tokenRecipient, value: parseEther('1') });
  await client.impersonateAccount({ address: tokenRecipient });
  const approval = { address: token, abi: devTokenAbi, functionName: 'approve', args: [contract, maxUint256] } as const;
  const hash = await client.writeContract({ account: tokenRecipient, chain: client.chain, ...approval });
  await client.waitForTransactionReceipt({ hash });
  return tokenRecipient;
}

describe.each(versions)('singleton %s with tokens taken in advance', (version) => {
  test('takes them before the call and gives back what the operation did not cost', async () => {
    const { paymaster, operation, token, signedTerms } = await paidInAdvance(version, lab.devnet.tokenRecipient);
    const bundle = await signForBundle(lab, paymaster, operation, signedTerms);
    const landed = await land(lab, operation, bundle, token);
    expect(landed.success).toBe(true);
    expect(landed.charged).toBeGreaterThanOrEqual(landed.actualGasCost * 3n);
    expect(landed.charged).toBeLessThan(signedTerms.inAdvance);
    expect(landed.charged).toBeLessThanOrEqual(paymaster.family.maximumTokenCharge(operation, signedTerms));
  });

  test('never asks for more than the contract lets itself be told', async () => {
    const { paymaster, operation, signedTerms } = await paidInAdvance(version, lab.devnet.tokenRecipient);
    await tryBundle(lab, operation, await signForBundle(lab, paymaster, operation, signedTerms));
    const most = paymaster.family.worstCase(operation, signedTerms) * 3n;
    expect(signedTerms.inAdvance).toBeLessThanOrEqual(most);
    expect(signedTerms.inAdvance).toBeGreaterThanOrEqual((most * 255n) / 256n);
    const more = await signForBundle(lab, paymaster, operation, { ...signedTerms, inAdvance: most + 1n });
    await expect(tryBundle(lab, operation, more)).rejects.toThrow();
  });

  test('has a validation limit that suffices for a plain token and an empty token recipient', async () => {
    const token = lab.devnet.tokens[1]?.address ?? '0x';
    const tokenRecipient = await freshTokenRecipient(token, singleton(lab, version).contract.address);
    const { paymaster, operation, signedTerms } = await paidInAdvance(version, tokenRecipient);
    const limits = paymaster.family.paymasterGasLimits('ERC20', gasSchedules.osaka, operation);
    const bundle = (paymasterVerificationGasLimit: bigint) => {
      const limited = { ...operation, gas: { ...operation.gas, ...limits, paymasterVerificationGasLimit } };
      return signForBundle(lab, paymaster, limited, {
        ...signedTerms,
        inAdvance: advanceOf(paymaster, limited, signedTerms),
      });
    };
    await tryBundle(lab, operation, await bundle(limits.paymasterVerificationGasLimit));
    const withoutReserve = withoutMargins(limits.paymasterVerificationGasLimit, advanceReserve(gasSchedules.osaka));
    await expect(tryBundle(lab, operation, await bundle(withoutReserve))).rejects.toThrow();
  });

  test('has a stub that is as long as what is signed and has no more zero bytes', () => {
    const { contract, family } = singleton(lab, version);
    const outcomes = countOutcomes('more than the field holds', 'signed');
    fc.assert(
      fc.property(arbitraryOperation(version), arbitraryTerms('ERC20'), (operation, any) => {
        if (any.mode !== 'ERC20') throw new Error('another mode was made');
        const signedTerms = { ...any, validUntil: any.validUntil % 2 ** 32, validAfter: any.validAfter % 2 ** 32 };
        const inAdvance = advanceOf({ contract, family }, operation, signedTerms);
        if (inAdvance >= 2n ** 128n) return outcomes.note('more than the field holds');
        outcomes.note('signed');
        const { unsigned } = family.prepare(contract, operation, { ...signedTerms, inAdvance });
        const stub = family.prepare(contract, operation, stubTerms(signedTerms)).unsigned;
        expect(stub).toHaveLength(unsigned.length);
        expect(zeroBytes(stub)).toBeLessThanOrEqual(zeroBytes(unsigned));
      }),
    );
    outcomes.expectAllSeen();
  });
});

function zeroBytes(bytes: Hex): number {
  return (bytes.slice(2).match(/../g) ?? []).filter((byte) => byte === '00').length;
}
