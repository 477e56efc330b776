import { parseEther, parseGwei } from 'viem';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { signUserOperation } from '../../clients/cli/dev/user-operation/build-user-operation.ts';
import type { DevUserOperation } from '../../clients/cli/dev/user-operation/dev-user-operation.ts';
import { type EntryPointVersion, entryPointVersions } from '../../core/domain/entry-point-version.ts';
import {
  approveCall,
  mint,
  newSmartAccount,
  nextOperation,
  targetCall,
  tokenWith,
  walletWith,
} from '../support/chain/chain-lab.ts';
import { land } from '../support/chain/chain-landing.ts';
import { sponsor, type Wish, withAnswer } from '../support/service/chain-sponsorship.ts';
import { type RunningService, startService } from '../support/service/running-service.ts';
import { landInOwnBundles, mineAt } from './own-bundles.ts';

/** `ATTACK_OPERATIONS=100` measures as many and prints the table; each earns about the same. */
const count = Number(process.env.ATTACK_OPERATIONS ?? 10);
const maxMultiple = 3;
const suggestedTip = parseGwei('1');
/** In gwei. Far above the tip, an honest bundler earns little and every gas too much counts. */
const baseFees = ['1', '20'] as const;
const token = 6;

let service: RunningService;
const rows: object[] = [];

beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  await service.close();
  if (process.env.ATTACK_OPERATIONS !== undefined) console.table(rows);
});

/** The most that is signed of what a bundler earns by. */
function greedy(operation: DevUserOperation): DevUserOperation {
  return {
    ...operation,
    maxPriorityFeePerGas: 2n * suggestedTip,
    maxFeePerGas: operation.maxFeePerGas + suggestedTip,
    preVerificationGas: (operation.preVerificationGas * 5n) / 4n + 4_800n,
    callGasLimit: (operation.callGasLimit * 5n) / 4n + 149_000n,
  };
}

/** The service has to see the new base fee first. */
function sponsorSoon(...request: Parameters<typeof sponsor>): ReturnType<typeof sponsor> {
  return vi.waitFor(() => sponsor(...request), { timeout: 30_000 });
}

/** What a bundler gains with so many operations of one account, in wei. */
async function gainOf(
  version: EntryPointVersion,
  { isToken, baseFee, change }: { isToken: boolean; baseFee: bigint; change: typeof greedy },
): Promise<bigint> {
  const { devnet } = service;
  const { authToken } = await service.issueAccount();
  const { rpcUrl, address } = await service.fundedPaymaster(authToken, version, 4);
  const account = newSmartAccount(version);
  const coin = tokenWith(devnet, token);
  const increment = targetCall(devnet, 'increment');
  const calls = isToken ? [approveCall(coin, address, 10n ** 15n), increment] : [increment];
  const wish: Wish = isToken ? { token: coin.address } : {};
  const first = await nextOperation(devnet, account, calls);
  await mint(devnet, coin, first.sender, 10n ** 15n);
  await land(devnet, account, withAnswer(first, await sponsorSoon(rpcUrl, first, wish)));
  await mineAt(devnet, baseFee);
  const drafted = await nextOperation(devnet, account, calls, 1n);
  const estimated = change(withAnswer(drafted, await sponsorSoon(rpcUrl, drafted, wish)));
  const signed: DevUserOperation[] = [];
  for (let key = 1n; key <= BigInt(count); key += 1n) {
    const operation = { ...estimated, nonce: key << 64n };
    const answer = await sponsor(rpcUrl, operation, { ...wish, calculateGasLimits: false });
    signed.push(await signUserOperation(devnet, withAnswer(operation, answer), account.owner));
  }
  return landInOwnBundles(devnet, { wallet: await walletWith(devnet, parseEther('10')), baseFee, operations: signed });
}

const cases = entryPointVersions.flatMap((version) => ['SPONSORED', 'ERC20'].map((mode) => ({ version, mode })));

describe.each(baseFees)('who bundles his own operations at a base fee of %s gwei', (gwei) => {
  test.each(cases)(
    'of EntryPoint $version in mode $mode gains at most three times what an honest bundler does',
    async ({ version, mode }) => {
      const given = { isToken: mode === 'ERC20', baseFee: parseGwei(gwei) };
      const honest = await gainOf(version, { ...given, change: (operation) => operation });
      const attacker = await gainOf(version, { ...given, change: greedy });
      const multiple = Number((attacker * 100n) / honest) / 100;
      rows.push({ version, mode, gwei, honestGwei: honest / 10n ** 9n, attackerGwei: attacker / 10n ** 9n, multiple });
      expect(honest).toBeGreaterThan(0n);
      expect(multiple).toBeLessThanOrEqual(maxMultiple);
    },
  );
});
