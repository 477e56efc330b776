import { formatGwei } from 'viem';
import { type LocalAccount, privateKeyToAccount } from 'viem/accounts';
import type { Devnet } from '../../server/dev/devnet/devnet.ts';
import type { DevUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import { depositOf } from '../support/chain/chain-lab.ts';
import { BundleReverted, landInOwnBundles } from '../support/chain/own-bundles.ts';
import type { ProductionTank } from '../support/service/production-tank.ts';
import { freshKey } from '../support/service/running-service.ts';

/** What an attacker owns who has nothing but the coin for his bundles, in wei. */
const ownCoin = 10n ** 19n;

type Balances = {
  /** Of the wallet that the attacker bundles with. */
  readonly attacker: bigint;
  /** Of the paymaster's contract at its EntryPoint. */
  readonly deposit: bigint;
};

/** What an attack has moved, in wei. */
export type AttackMeasure = {
  readonly before: Balances;
  readonly after: Balances;
  /** What the attacker has more, less what he paid for his bundles; negative when he has paid for nothing. */
  readonly gained: bigint;
  readonly lost: bigint;
  /** Whether the EntryPoint took the bundles. */
  readonly landed: boolean;
};

type Attack = {
  readonly tank: Pick<ProductionTank, 'version' | 'contract' | 'family'>;
  readonly operations: readonly DevUserOperation[];
  /** A new wallet when absent. */
  readonly wallet?: LocalAccount;
  /** Of the blocks that the bundles land in; whatever the chain has when absent. */
  readonly baseFee?: bigint;
};

/** Has a sender bundle his own operations, and compares what he and the tank's contract have before and after. */
export async function bundleAlone(
  devnet: Devnet,
  { tank, operations, baseFee, ...given }: Attack,
): Promise<AttackMeasure> {
  const wallet = given.wallet ?? privateKeyToAccount(freshKey());
  if (given.wallet === undefined) await devnet.client.setBalance({ address: wallet.address, value: ownCoin });
  const read = async () => ({
    attacker: await devnet.client.getBalance({ address: wallet.address }),
    deposit: await depositOf(devnet, tank.version, tank.contract),
  });
  const before = await read();
  const landed = await hasLanded(
    landInOwnBundles(devnet, { wallet, operations, ...(baseFee === undefined ? {} : { baseFee }) }),
  );
  const after = await read();
  const measure = {
    before,
    after,
    gained: after.attacker - before.attacker,
    lost: before.deposit - after.deposit,
    landed,
  };
  if (process.env.ATTACK_OPERATIONS !== undefined) console.table([row(tank, measure)]);
  return measure;
}

async function hasLanded(bundles: Promise<unknown>): Promise<boolean> {
  try {
    await bundles;
    return true;
  } catch (error) {
    if (error instanceof BundleReverted) return false;
    throw error;
  }
}

function row({ family }: Attack['tank'], { before, after, gained, lost, landed }: AttackMeasure) {
  return {
    family,
    landed,
    attackerBefore: formatGwei(before.attacker),
    attackerAfter: formatGwei(after.attacker),
    gainedGwei: formatGwei(gained),
    lostGwei: formatGwei(lost),
  };
}
