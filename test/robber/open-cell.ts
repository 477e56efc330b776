import type { Hex } from 'viem';
import type { GasLimits } from '../../core/domain/user-operation.ts';
import type { DevnetToken } from '../../server/dev/devnet/devnet.ts';
import { fundWithTokens, tokenWith } from '../support/chain/chain-lab.ts';
import type { ProductionTank } from '../support/service/production-tank.ts';
import type { RobberAccount } from './accounts/robber-account.ts';
import type { Cell } from './cells.ts';
import type { Wallet, World } from './world.ts';

/** A cell with its tank, and an account of the attacker's that is on chain. */
export type OpenCell = {
  readonly cell: Cell;
  readonly world: World;
  /** Who bundles. */
  readonly wallet: Wallet;
  readonly tank: ProductionTank;
  readonly token: DevnetToken | undefined;
  readonly standing: RobberAccount;
  /** Estimates of the service, by the fields of the operation. */
  readonly estimates: Map<string, GasLimits | undefined>;
  /** Hashes of operations that another tenant has signed. */
  readonly signedElsewhere: Set<Hex>;
  /** Numbers that no account and no nonce key has had. */
  nextNumber(): bigint;
};

let numbers = 0n;

/** Opens the tank; the account is made by its first operation, or delegates. */
export async function openCell(world: World, cell: Cell): Promise<OpenCell> {
  const nextNumber = () => {
    numbers += 1n;
    return numbers;
  };
  const tank = cell.isRelayed ? await world.openRelayTank(cell.policy) : await world.openTank(cell.family, cell.policy);
  const standing = await cell.account.open(world, nextNumber());
  const token = cell.mode === 'ERC20' ? tokenWith(world.devnet, 6) : undefined;
  if (token !== undefined) {
    await fundWithTokens(world.devnet, token, { owner: standing.sender, spender: tank.contract });
  }
  await standing.settle?.();
  return {
    cell,
    world,
    wallet: world.attacker,
    tank,
    token,
    standing,
    estimates: new Map(),
    signedElsewhere: new Set(),
    nextNumber,
  };
}
