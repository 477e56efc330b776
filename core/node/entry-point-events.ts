import { parseAbi } from 'viem';

/** Events of the EntryPoint that move a paymaster's deposit; the same in every version (`IEntryPoint`, `IStakeManager`). */
export const [userOperationEvent, depositedEvent, withdrawnEvent] = parseAbi([
  'event UserOperationEvent(bytes32 indexed userOpHash, address indexed sender, address indexed paymaster, uint256 nonce, bool success, uint256 actualGasCost, uint256 actualGasUsed)',
  'event Deposited(address indexed account, uint256 totalDeposit)',
  'event Withdrawn(address indexed account, address withdrawAddress, uint256 amount)',
]);

export const depositAbi = parseAbi(['function balanceOf(address account) view returns (uint256)']);
