import { encodeFunctionData, parseAbi, parseAbiItem } from 'viem';
import type { CustomerFunding } from '../family/family.ts';

const balanceAbi = parseAbi(['function getBalance(address paymasterId) view returns (uint256)']);

/**
 * The gas tanks that Biconomy's sponsorship contracts keep on chain. `depositFor(address paymasterId)` fills one; the
 * `paymasterId` is the funding wallet, which takes out again with `withdrawTo`, in 0.7 with a request and
 * `executeWithdrawalRequest`.
 *
 * Contracts with a markup add it to the balance of their fee collector, and tell by no deposit. A fee collector that is a
 * funding wallet as well has more in the contract than its tank, which `ledger check` then names.
 */
export const biconomyBalances: CustomerFunding = {
  balanceData: (wallet) => encodeFunctionData({ abi: balanceAbi, args: [wallet] }),
  depositFunction: parseAbiItem('function depositFor(address paymasterId) payable'),
  depositEvent: parseAbiItem('event GasDeposited(address indexed _paymasterId, uint256 indexed _value)'),
  withdrawalEvent: parseAbiItem(
    'event GasWithdrawn(address indexed _paymasterId, address indexed _to, uint256 indexed _value)',
  ),
  // What comes after the charge differs between versions of one contract: nothing, the premium, the operation's hash.
  chargeEvents: parseAbi([
    'event GasBalanceDeducted(address indexed _paymasterId, uint256 indexed _charge)',
    'event GasBalanceDeducted(address indexed _paymasterId, uint256 indexed _charge, uint256 indexed _premium)',
    'event GasBalanceDeducted(address indexed _paymasterId, uint256 indexed _charge, bytes32 indexed _userOpHash)',
  ]),
};
