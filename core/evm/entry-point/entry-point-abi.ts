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

const stakeInfo = 'struct StakeInfo { uint256 stake; uint256 unstakeDelaySec; }';

/** Simulation functions, and the account and paymaster functions that EntryPoint 0.6 calls. Results arrive as errors. */
export const simulation06Abi = parseAbi([
  userOperation06,
  stakeInfo,
  'struct ReturnInfo { uint256 preOpGas; uint256 prefund; bool sigFailed; uint48 validAfter; uint48 validUntil; bytes paymasterContext; }',
  'struct AggregatorStakeInfo { address aggregator; StakeInfo stakeInfo; }',
  'function simulateValidation(UserOperation op)',
  'function simulateHandleOp(UserOperation op, address target, bytes targetCallData)',
  'function validateUserOp(UserOperation op, bytes32 userOpHash, uint256 missingAccountFunds)',
  'function validatePaymasterUserOp(UserOperation op, bytes32 userOpHash, uint256 maxCost)',
  'error ValidationResult(ReturnInfo returnInfo, StakeInfo sender, StakeInfo factory, StakeInfo paymaster)',
  'error ValidationResultWithAggregation(ReturnInfo returnInfo, StakeInfo sender, StakeInfo factory, StakeInfo paymaster, AggregatorStakeInfo aggregator)',
  'error ExecutionResult(uint256 preOpGas, uint256 paid, uint48 validAfter, uint48 validUntil, bool targetSuccess, bytes targetResult)',
]);

/** Simulation for 0.7 and up, where `EntryPointSimulations` returns its results. */
export const simulation07Abi = parseAbi([
  packedUserOperation,
  stakeInfo,
  'struct ReturnInfo { uint256 preOpGas; uint256 prefund; uint256 accountValidationData; uint256 paymasterValidationData; bytes paymasterContext; }',
  'struct AggregatorStakeInfo { address aggregator; StakeInfo stakeInfo; }',
  'struct ValidationResult { ReturnInfo returnInfo; StakeInfo sender; StakeInfo factory; StakeInfo paymaster; AggregatorStakeInfo aggregator; }',
  'struct ExecutionResult { uint256 preOpGas; uint256 paid; uint256 accountValidationData; uint256 paymasterValidationData; bool targetSuccess; bytes targetResult; }',
  'function simulateValidation(PackedUserOperation op) returns (ValidationResult)',
  'function simulateHandleOp(PackedUserOperation op, address target, bytes targetCallData) returns (ExecutionResult)',
  'function validateUserOp(PackedUserOperation op, bytes32 userOpHash, uint256 missingAccountFunds)',
  'function validatePaymasterUserOp(PackedUserOperation op, bytes32 userOpHash, uint256 maxCost)',
  'function executeUserOp(PackedUserOperation op, bytes32 userOpHash)',
]);

/** The contract through which every EntryPoint calls factories. */
export const senderCreatorAbi = parseAbi([
  'function createSender(bytes initCode) returns (address)',
  'function initEip7702Sender(address sender, bytes initCallData)',
]);

/** The errors of EntryPoints, of `require` and `assert`, and of the compiler's checks. */
export const failureAbi = parseAbi([
  'error FailedOp(uint256 opIndex, string reason)',
  'error FailedOpWithRevert(uint256 opIndex, string reason, bytes inner)',
  'error PaymasterNotDeployed(address paymaster)',
  'error Error(string message)',
  'error Panic(uint256 code)',
]);
