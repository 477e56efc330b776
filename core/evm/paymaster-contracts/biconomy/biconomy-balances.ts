import { encodeFunctionData, parseAbi, parseAbiItem } from 'viem';
import type { CustomerFunding } from '../family/family.ts';

const balanceAbi = parseAbi(['function getBalance(address paymasterId) view returns (uint256)']);

/**
 * The gas tanks that Biconomy's sponsorship contracts keep on chain. `depositFor(address paymasterId)` fills a tank. The
 * `paymasterId` is the funding wallet, which withdraws with `withdrawTo`; in 0.7 it needs a request and
 * `executeWithdrawalRequest`.
 *
 * Contracts with a markup add it to their fee collector's balance without a deposit event. If a fee collector is also a
 * funding wallet, it has more in the contract than its tank; `ledger check` reports it.
 */
export const biconomyBalances: CustomerFunding = {
  balanceData: (wallet) => encodeFunctionData({ abi: balanceAbi, args: [wallet] }),
  depositFunction: parseAbiItem('function depositFor(address paymasterId) payable'),
  depositEvent: parseAbiItem('event GasDeposited(address indexed _paymasterId, uint256 indexed _value)'),
  withdrawalEvent: parseAbiItem(
    'event GasWithdrawn(address indexed _paymasterId, address indexed _to, uint256 indexed _value)',
  ),
  // The arguments after the charge differ between versions of one contract: none, the premium, the operation's hash.
  chargeEvents: parseAbi([
    'event GasBalanceDeducted(address indexed _paymasterId, uint256 indexed _charge)',
    'event GasBalanceDeducted(address indexed _paymasterId, uint256 indexed _charge, uint256 indexed _premium)',
    'event GasBalanceDeducted(address indexed _paymasterId, uint256 indexed _charge, bytes32 indexed _userOpHash)',
  ]),
};
