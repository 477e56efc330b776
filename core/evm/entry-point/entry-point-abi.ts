import { parseAbi } from 'viem';

/** The latest time on chain (`uint48`, Unix seconds): the expiry of a signature without a window. */
export const endOfTime = 2 ** 48 - 1;

/** Bits of a nonce that form its sequence number; the others are its key (ERC-4337, semi-abstracted nonces). */
export const nonceSequenceBits = 64;

const deposits = [
  'function depositTo(address account) payable',
  'function withdrawTo(address withdrawAddress, uint256 withdrawAmount)',
  'function balanceOf(address account) view returns (uint256)',
  'function getNonce(address sender, uint192 key) view returns (uint256 nonce)',
  'event Deposited(address indexed account, uint256 totalDeposit)',
  'event Withdrawn(address indexed account, address withdrawAddress, uint256 amount)',
] as const;

const events = [
  'event BeforeExecution()',
  'event AccountDeployed(bytes32 indexed userOpHash, address indexed sender, address factory, address paymaster)',
  'event UserOperationEvent(bytes32 indexed userOpHash, address indexed sender, address indexed paymaster, uint256 nonce, bool success, uint256 actualGasCost, uint256 actualGasUsed)',
  'event UserOperationRevertReason(bytes32 indexed userOpHash, address indexed sender, uint256 nonce, bytes revertReason)',
] as const;

const userOperation06 =
  'struct UserOperation { address sender; uint256 nonce; bytes initCode; bytes callData; uint256 callGasLimit; uint256 verificationGasLimit; uint256 preVerificationGas; uint256 maxFeePerGas; uint256 maxPriorityFeePerGas; bytes paymasterAndData; bytes signature; }';
const packedUserOperation =
  'struct PackedUserOperation { address sender; uint256 nonce; bytes initCode; bytes callData; bytes32 accountGasLimits; uint256 preVerificationGas; bytes32 gasFees; bytes paymasterAndData; bytes signature; }';

/** The parts of EntryPoint 0.6 in use. `simulateHandleOp` always reverts; its answer is the error `ExecutionResult`. */
export const entryPoint06Abi = parseAbi([
  userOperation06,
  ...deposits,
  ...events,
  'function getDepositInfo(address account) view returns ((uint112 deposit, bool staked, uint112 stake, uint32 unstakeDelaySec, uint48 withdrawTime) info)',
  'function getUserOpHash(UserOperation userOp) view returns (bytes32)',
  'function handleOps(UserOperation[] ops, address beneficiary)',
  'function simulateHandleOp(UserOperation op, address target, bytes targetCallData)',
  'error FailedOp(uint256 opIndex, string reason)',
  'error ExecutionResult(uint256 preOpGas, uint256 paid, uint48 validAfter, uint48 validUntil, bool targetSuccess, bytes targetResult)',
]);

/** The parts of EntryPoint 0.7 and 0.8 in use. */
export const entryPoint07Abi = parseAbi([
  packedUserOperation,
  ...deposits,
  ...events,
  'event PostOpRevertReason(bytes32 indexed userOpHash, address indexed sender, uint256 nonce, bytes revertReason)',
  'event UserOperationPrefundTooLow(bytes32 indexed userOpHash, address indexed sender, uint256 nonce)',
  'function getDepositInfo(address account) view returns ((uint256 deposit, bool staked, uint112 stake, uint32 unstakeDelaySec, uint48 withdrawTime) info)',
  'function getUserOpHash(PackedUserOperation userOp) view returns (bytes32)',
  'function handleOps(PackedUserOperation[] ops, address beneficiary)',
  'error FailedOp(uint256 opIndex, string reason)',
  'error FailedOpWithRevert(uint256 opIndex, string reason, bytes inner)',
  'error PostOpReverted(bytes returnData)',
]);

/**
 * `EntryPointSimulations` of 0.7 and 0.8: code that a state override puts at the EntryPoint's address, for an `eth_call`
 * that estimates.
 */
export const entryPointSimulationsAbi = parseAbi([
  packedUserOperation,
  'struct ExecutionResult { uint256 preOpGas; uint256 paid; uint256 accountValidationData; uint256 paymasterValidationData; bool targetSuccess; bytes targetResult; }',
  'function simulateHandleOp(PackedUserOperation op, address target, bytes targetCallData) returns (ExecutionResult)',
  'error FailedOp(uint256 opIndex, string reason)',
  'error FailedOpWithRevert(uint256 opIndex, string reason, bytes inner)',
]);
