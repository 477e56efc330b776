import type { FollowedChain } from '../../node/followed-chain.ts';
import type { ChainFunds } from '../holds/hold-request.ts';
import type { LocatedTank } from './locate-tank.ts';

/** What the chain says is available for a tank, as last seen; parts that are not known now are absent. */
export async function readTankFunds(
  chain: FollowedChain | undefined,
  { location, wallet, customers }: LocatedTank,
): Promise<Partial<ChainFunds>> {
  const chainDeposit = chain?.watcher.view()?.deposits.get(location.address);
  if (chain === undefined || chainDeposit === undefined) return {};
  if (customers === undefined || wallet === undefined) return { chainDeposit };
  const walletBalance = await chain.customerBalances.read(location.address, customers.balanceData(wallet));
  return walletBalance === undefined ? {} : { chainDeposit, walletBalance };
}
