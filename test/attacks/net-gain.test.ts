import { parseEther, parseGwei } from 'viem';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { type EntryPointVersion, entryPointVersions } from '../../core/domain/entry-point-version.ts';
import { signUserOperation } from '../../server/dev/user-operation/build-user-operation.ts';
import type { DevUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
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
import { mineConfirmations } from '../support/chain/mine-confirmations.ts';
import { mineAt } from '../support/chain/own-bundles.ts';
import { sponsor, type Wish, withAnswer } from '../support/service/chain-sponsorship.ts';
import { fundedTank, type ProductionTank } from '../support/service/production-tank.ts';
import { useProductionService } from '../support/service/use-production-service.ts';
import { bundleAlone } from './measure-attack.ts';

/** `ATTACK_OPERATIONS=100` measures as many and prints the table; each earns about the same. */
const count = BigInt(process.env.ATTACK_OPERATIONS ?? 5);
/** What one sender may have open: then his bundle has to land, and to be confirmed, before the next. */
const openAtATime = 10n;
const maxMultiple = 3;
const suggestedTip = parseGwei('1');
/** In gwei. Far above the tip, an honest bundler earns little and every gas too much counts. */
const baseFees = ['1', '20'] as const;
const token = 6;

// On a chain that is so dear at times, operator and owner let an operation cost more.
const service = useProductionService({ settings: () => ({ chain: { maxCostPerOperation: '0.2 ether' } }) });
const policy = { maxCostPerOperation: { wei: String(parseEther('0.2')) } };
const rows: object[] = [];
afterAll(() => {
  if (process.env.ATTACK_OPERATIONS !== undefined) console.table(rows);
});

/** The most that is signed of what a bundler earns by. */
function greedy(operation: DevUserOperation): DevUserOperation {
  return {
    ...operation,
    maxPriorityFeePerGas: (5n * suggestedTip) / 2n,
    maxFeePerGas: operation.maxFeePerGas + (3n * suggestedTip) / 2n,
    // A quarter of what is no data, and 5,000 gas, except what the operation's limits change in its bytes.
    preVerificationGas: operation.preVerificationGas + 43_000n / 4n + 4_800n,
    callGasLimit: (operation.callGasLimit * 5n) / 4n + 149_000n,
  };
}

/** The service has to see the new base fee first, and that what was signed before has landed. */
function sponsorSoon(...request: Parameters<typeof sponsor>): ReturnType<typeof sponsor> {
  return vi.waitFor(() => sponsor(...request), { timeout: 30_000 });
}

const tanks = new Map<EntryPointVersion, Promise<ProductionTank>>();
/** One for each version: no one in this file can take much of it. */
function tankOf(version: EntryPointVersion): Promise<ProductionTank> {
  const known = tanks.get(version) ?? fundedTank(service(), { family: version, policy, amount: parseEther('100') });
  tanks.set(version, known);
  return known;
}

type Given = { readonly isToken: boolean; readonly baseFee: bigint; readonly change: typeof greedy };

/** What a bundler gains with so many operations of one account and what the tank loses by them, in wei. */
async function gainOf(version: EntryPointVersion, { isToken, baseFee, change }: Given) {
  const { devnet } = service();
  const tank = await tankOf(version);
  const { rpcUrl, contract } = tank;
  const account = newSmartAccount(version);
  const coin = tokenWith(devnet, token);
  const increment = targetCall(devnet, 'increment');
  const calls = isToken ? [approveCall(coin, contract, 10n ** 15n), increment] : [increment];
  const wish: Wish = isToken ? { token: coin.address } : {};
  const first = await nextOperation(devnet, account, calls);
  await mint(devnet, coin, first.sender, 10n ** 15n);
  await land(devnet, account, withAnswer(first, await sponsorSoon(rpcUrl, first, wish)));
  const wallet = await walletWith(devnet, parseEther('10'));
  const moved = { gained: 0n, lost: 0n };
  for (let key = 1n; key <= count; ) {
    await mineAt(devnet, baseFee);
    await mineConfirmations(devnet);
    const drafted = await nextOperation(devnet, account, calls, key);
    const estimated = change(withAnswer(drafted, await sponsorSoon(rpcUrl, drafted, wish)));
    const operations: DevUserOperation[] = [];
    for (const end = key + openAtATime; key < end && key <= count; key += 1n) {
      const operation = { ...estimated, nonce: key << 64n };
      const answer = await sponsorSoon(rpcUrl, operation, { ...wish, calculateGasLimits: false });
      operations.push(await signUserOperation(devnet, withAnswer(operation, answer), account.owner));
    }
    const bundle = await bundleAlone(devnet, { tank, operations, wallet, baseFee });
    expect(bundle.landed).toBe(true);
    moved.gained += bundle.gained;
    moved.lost += bundle.lost;
  }
  return moved;
}

const cases = entryPointVersions.flatMap((version) => ['SPONSORED', 'ERC20'].map((mode) => ({ version, mode })));

describe.each(baseFees)('who bundles his own operations at a base fee of %s gwei', (gwei) => {
  test.each(cases)(
    'of EntryPoint $version in mode $mode gains at most three times what an honest bundler does',
    async ({ version, mode }) => {
      const given = { isToken: mode === 'ERC20', baseFee: parseGwei(gwei) };
      const honest = await gainOf(version, { ...given, change: (operation) => operation });
      const attacker = await gainOf(version, { ...given, change: greedy });
      const multiple = Number((attacker.gained * 100n) / honest.gained) / 100;
      const inGwei = (wei: bigint) => wei / 10n ** 9n;
      rows.push({
        version,
        mode,
        gwei,
        honestGwei: inGwei(honest.gained),
        attackerGwei: inGwei(attacker.gained),
        tankGwei: inGwei(attacker.lost),
        multiple,
      });
      expect(honest.gained).toBeGreaterThan(0n);
      expect(multiple).toBeLessThanOrEqual(maxMultiple);
      // He cannot have what the tank does not lose.
      expect(attacker.gained).toBeLessThan(attacker.lost);
    },
    240_000,
  );
});
