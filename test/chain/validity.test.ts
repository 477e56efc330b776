import { parseEther } from 'viem';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type EntryPointVersion, entryPointVersions } from '../../core/domain/entry-point-version.ts';
import { type Devnet, devnetFamilies } from '../../server/dev/devnet/devnet.ts';
import { signUserOperation } from '../../server/dev/user-operation/build-user-operation.ts';
import type { DevUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import {
  approveCall,
  fillTank,
  mineAt,
  mint,
  newSmartAccount,
  nextOperation,
  type SmartAccount,
  targetCall,
  tokenWith,
  walletWith,
} from '../support/chain/chain-lab.ts';
import { land } from '../support/chain/chain-landing.ts';
import { readSignedTerms } from '../support/paymaster-contracts/signed-terms.ts';
import { anyClock } from '../support/service/any-clock.ts';
import { chooseWallet, type LabPaymaster, openPaymaster } from '../support/service/chain-paymaster.ts';
import type { SignedAnswer } from '../support/service/chain-rpc.ts';
import { sponsor, withAnswer } from '../support/service/chain-sponsorship.ts';
import { type RunningService, startService } from '../support/service/running-service.ts';

const modes = ['SPONSORED', 'ERC20'] as const;
type Kind = { readonly version: EntryPointVersion; readonly mode: (typeof modes)[number] };
const kinds: readonly Kind[] = entryPointVersions.flatMap((version) => modes.map((mode) => ({ version, mode })));

let service: RunningService;
let devnet: Devnet;
const paymasters = new Map<EntryPointVersion, LabPaymaster>();

beforeAll(async () => {
  // The chain's clock goes ahead of ours here, by more than is signed for by default.
  service = await startService({ configure: anyClock });
  devnet = service.devnet;
  for (const version of entryPointVersions) {
    const wallet = await walletWith(devnet, 0n);
    const paymaster = await openPaymaster(service, version);
    await chooseWallet(paymaster, wallet);
    await fillTank(devnet, version, wallet, parseEther('20'));
    paymasters.set(version, paymaster);
  }
});
afterAll(() => service.close());

type Signed = { readonly account: SmartAccount; readonly operation: DevUserOperation; readonly answer: SignedAnswer };

async function signedFor({ version, mode }: Kind, expiryDuration?: number): Promise<Signed> {
  const paymaster = paymasters.get(version);
  if (paymaster === undefined) throw new Error('There is no paymaster.');
  const token = tokenWith(devnet, 18);
  const account = newSmartAccount(version);
  const approval = approveCall(token, devnet.paymasterContracts[devnetFamilies[version]], parseEther('100'));
  const increment = targetCall(devnet, 'increment');
  const unsigned = await nextOperation(devnet, account, mode === 'ERC20' ? [approval, increment] : [increment]);
  if (mode === 'ERC20') await mint(devnet, token, unsigned.sender, parseEther('100'));
  const answer = await sponsor(paymaster.rpcUrl, unsigned, {
    ...(mode === 'ERC20' ? { token: token.address } : {}),
    ...(expiryDuration === undefined ? {} : { expiryDuration }),
  });
  return { account, answer, operation: withAnswer(unsigned, answer) };
}

async function chainTime(): Promise<number> {
  return Number((await devnet.client.getBlock()).timestamp);
}

test.each(kinds)(
  'the signed window of EntryPoint $version, $mode, is always closed, whatever is wished',
  async (kind) => {
    for (const expiryDuration of [undefined, 60, 100.7, 600]) {
      const signed = await signedFor(kind, expiryDuration);
      const { validUntil, validAfter } = readSignedTerms(kind.version, kind.mode, signed.operation.paymasterAndData);
      const now = Math.floor(Date.now() / 1000);
      expect(validUntil).toBe(signed.answer.validUntil);
      expect(validUntil).toBeGreaterThan(now);
      expect(validUntil).toBeLessThanOrEqual(Math.max(now, await chainTime()) + 600);
      expect(validAfter).toBeGreaterThan(0);
      expect(validAfter).toBeLessThan(now);
    }
  },
);

test('operations of every EntryPoint and mode are taken until validUntil and refused after it', async () => {
  const signed = new Map<Kind, readonly [inTime: Signed, late: Signed]>();
  for (const kind of kinds) signed.set(kind, [await signedFor(kind, 600), await signedFor(kind, 600)]);
  const ends = [...signed.values()].flat().map(({ answer }) => answer.validUntil);

  await mineAt(devnet, Math.min(...ends) - 60);
  for (const [inTime] of signed.values()) {
    expect((await land(devnet, inTime.account, inTime.operation)).success).toBe(true);
  }
  await mineAt(devnet, Math.max(...ends) + 1);
  for (const [, late] of signed.values()) {
    await expect(signUserOperation(devnet, late.operation, late.account.owner)).resolves.toBeDefined();
    await expect(land(devnet, late.account, late.operation)).rejects.toThrow('AA32');
  }
});

test.each(kinds)(
  'an operation of EntryPoint $version, $mode, signed by a chain ahead of our clock lands',
  async (kind) => {
    const ahead = await chainTime();
    expect(ahead).toBeGreaterThan(Math.floor(Date.now() / 1000) + 60);
    const { account, operation } = await vi.waitFor(
      async () => {
        const signed = await signedFor(kind);
        // The service sees a jump of the chain's time with its next look.
        expect(signed.answer.validUntil).toBeGreaterThan(ahead);
        return signed;
      },
      { timeout: 10_000 },
    );
    expect((await land(devnet, account, operation)).success).toBe(true);
  },
);
