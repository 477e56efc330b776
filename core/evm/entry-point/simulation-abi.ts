import { parseAbi } from 'viem';

const userOperation06 =
  'struct UserOperation { address sender; uint256 nonce; bytes initCode; bytes callData; uint256 callGasLimit; uint256 verificationGasLimit; uint256 preVerificationGas; uint256 maxFeePerGas; uint256 maxPriorityFeePerGas; bytes paymasterAndData; bytes signature; }';
const packedUserOperation =
  'struct PackedUserOperation { address sender; uint256 nonce; bytes initCode; bytes callData; bytes32 accountGasLimits; uint256 preVerificationGas; bytes32 gasFees; bytes paymasterAndData; bytes signature; }';
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

/** The same functions for 0.7 and up, where `EntryPointSimulations` returns its results. */
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
