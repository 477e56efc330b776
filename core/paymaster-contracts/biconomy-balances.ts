import { encodeFunctionData, parseAbi, parseAbiItem } from 'viem';
import type { CustomerFunding } from './family.ts';

const balanceAbi = parseAbi(['function getBalance(address paymasterId) view returns (uint256)']);

/**
 * The gas tanks that Biconomy's sponsorship contracts keep on chain. `depositFor(address paymasterId)` fills one; the
 * `paymasterId` is the funding wallet.
 */
export const biconomyBalances: CustomerFunding = {
  balanceData: (wallet) => encodeFunctionData({ abi: balanceAbi, args: [wallet] }),
  depositEvent: parseAbiItem('event GasDeposited(address indexed _paymasterId, uint256 indexed _value)'),
};
