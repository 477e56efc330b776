import {
  type Address,
  decodeFunctionResult,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  hexToBigInt,
  parseAbi,
  size,
  slice,
} from 'viem';
import { maxBigint } from '../base/values/integers.ts';
import type { ChainConfig, TokenConfig } from '../domain/core-config.ts';
import type { EntryPointVersion } from '../domain/entry-point-version.ts';
import { accept, type Result, refuse } from '../domain/result/result.ts';
import type { UserOperationWithGas } from '../domain/user-operation.ts';
import { entryPointOf, requiredPrefund } from '../evm/entry-point/entry-points.ts';
import type { TokenPermit } from '../evm/paymaster-contracts/family/family.ts';
import type { ChainClient } from '../node/chain-client.ts';
import { nodeGasExceeded } from '../node/node-error.ts';
import { nextNonceRead, readNonce } from './attempt-measurement.ts';
import { executionReverted, revertDetails } from './failures/decode-failure.ts';
import { tokenPaymentRefusal } from './failures/token-payment-refusal.ts';
import { callGasProbeAbi, callGasProbeCode } from './simulation/call-gas-probe.generated.ts';
import { tryOperation } from './simulation/check-operation-runs.ts';
import {
  createEstimationContext,
  type EstimationContext,
  executionCeiling,
  searchRounds,
  withEstimationSignature,
} from './simulation/estimation-context.ts';
import type { Measurement, Probed } from './simulation/measure-operation.ts';
import { callSimulated } from './simulation/override-call.ts';
import type { MeasurementPlan, Read } from './simulation/plan-measurement.ts';

export type TrialRequest = {
  /** With its final limits. */
  readonly operation: UserOperationWithGas;
  readonly entryPoint: Address;
  readonly paymaster: Address;
  readonly tokenRecipient: Address;
  readonly token: TokenConfig;
  /** The most the operation can cost, in base units: the charge for {@link asCharged}. */
  readonly needed: bigint;
  /** The permit that comes with the payment, to explain a refusal. */
  readonly permit?: TokenPermit;
  /**
   * Wei that one base unit is worth, rounded up: the largest difference between a client's maximum and the contract's, which
   * round differently.
   */
  readonly weiPerUnit: bigint;
  /** `paymasterAndData` that the contract accepts as its own, so that the trial runs every step. */
  paymasterAndData(operation: UserOperationWithGas): Promise<Hex>;
};

export type Payable = {
  /** The smallest `postOp` limit that the payment needs, in gas; for EntryPoint 0.6 the smallest `verificationGasLimit`. */
  readonly postOpGas: bigint;
  /** The sender's tokens after its call, before postOp collects, in base units; 0 if the token does not tell. */
  readonly balance: bigint;
};

/** A payment before the operation has its limits. */
export type MeasuredPayment = {
  /** Absent if the payment cannot be tried yet. */
  readonly payable?: Payable;
  /** Whether the token recipient has some of the token; false if the token does not tell. */
  readonly tokenRecipientHolds: boolean;
};

/** Tries on the chain's nodes, in the current state, whether a token mode operation gets paid. */
export type TokenPaymentTrial = {
  /**
   * Simulates the operation with its payment: with its actual cost, and with its maximum cost. Refuses with
   * `TOKEN_PAYMENT_FAILS` when the tokens cannot be taken, with `ESTIMATION_FAILED` when the operation fails otherwise, and
   * with `CHAIN_UNAVAILABLE` when it cannot be simulated.
   */
  try(request: TrialRequest): Promise<Result<Payable>>;
  /** What the payment needs, as far as known before the operation has its limits. */
  measure(request: TrialRequest): Promise<MeasuredPayment>;
};

export function createTokenPaymentTrial({
  client,
  config,
}: {
  readonly client: ChainClient;
  readonly config: ChainConfig;
}): TokenPaymentTrial {
  const context = createEstimationContext(client, config);
  const mayRevert = config.allowRevertingOperations === true;
  return {
    try: (request) => tryPayment(context, request, mayRevert),
    measure: (request) => measurePayment(context, request),
  };
}

/** Tries with the account's next nonce, so that an operation which waits for others can be tried. */
async function tryPayment(
  context: EstimationContext,
  request: TrialRequest,
  mayRevert: boolean,
): Promise<Result<Payable>> {
  const { gas } = request.operation;
  const measured = await measureNext(context, request, {
    executionCeiling: gas.callGasLimit,
    searchRounds: 0n,
    postOpRounds: searchRounds,
    // The lowest cost, at which an advance is refunded, and the highest.
    chargedOverhead: 0n,
    highestCost: highestCost(request),
    token: request.token.address,
    given: gas,
  });
  if (!measured.ok) return measured;
  const { given, probed } = measured.value;
  const { failedAtPaymaster, validated, executed, charged, hasPostOp, postOpLimit, revertData } = probed;
  if (failedAtPaymaster) return refusePayment(context, request, probed, revertData);
  if (given === undefined) return refuse(nodeGasExceeded);
  const { handling } = given;
  if (!handling.taken && !validated) return refuse(handling.refusal);
  if (!executed && !mayRevert) return refuse(executionReverted(revertData));
  if (!hasPostOp || !charged) return refusePayment(context, request, probed, probed.postOpRevertData);
  const payable: Payable = { postOpGas: postOpLimit, balance: probed.tokenBalance };
  const isShort = postOpLimit > postOpLimitOf(request.operation);
  return handling.taken || isShort ? accept(payable) : refuse(handling.refusal);
}

/** Reads an owner's balance of a token. */
export function balanceRead(token: Address, owner: Address): Read {
  return { to: token, data: encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [owner] }) };
}

/** Whether a {@link balanceRead} found something; false if the token does not tell. */
export function holdsSome(answer: Hex | undefined): boolean {
  return answer !== undefined && size(answer) === wordBytes && hexToBigInt(answer) > 0n;
}
const wordBytes = 32;

/** Measures with the operation's own nonce, and again if that is not the account's next one. */
async function measureNext(
  context: EstimationContext,
  request: TrialRequest,
  plan: MeasurementPlan,
): Promise<Result<Measurement>> {
  const { entryPoint } = request;
  const code = await context.findCode(entryPoint, request.operation.entryPointVersion);
  if (!code.ok) return code;
  const measure = async (nonce: bigint) => {
    const operation = { ...withEstimationSignature(request.operation), nonce };
    const paymasterAndData = await request.paymasterAndData(operation);
    const reads = [nextNonceRead(entryPoint, operation), balanceRead(request.token.address, request.tokenRecipient)];
    return tryOperation(context, { operation, entryPoint, paymasterAndData }, code.value, { ...plan, reads });
  };
  const first = await measure(request.operation.nonce);
  if (!first.ok) return first;
  const nonce = readNonce(first.value.answers[0]);
  if (!nonce.ok) return nonce;
  return nonce.value === request.operation.nonce ? first : measure(nonce.value);
}

/**
 * The operation with limits for its maximum charge. EntryPoint 0.6 reserves the verification limit three times, for a postOp
 * and a second one that use it up; clients do not have users approve that much.
 */
export function asCharged(operation: UserOperationWithGas): UserOperationWithGas {
  if (entryPointOf(operation.entryPointVersion).isPacked) return operation;
  const verificationGasLimit = operation.gas.verificationGasLimit / 3n;
  return { ...operation, gas: { ...operation.gas, verificationGasLimit } };
}

/**
 * The highest cost passed to postOp, in wei. From 0.7 on, the prefund includes the postOp limit but the cost passed to
 * postOp never does, so the maximum less one base unit still exceeds any charge. Pimlico's clients approve the maximum
 * rounded down, and a contract may round it up.
 */
function highestCost({ operation, weiPerUnit }: TrialRequest): bigint {
  const most = requiredPrefund(asCharged(operation));
  return entryPointOf(operation.entryPointVersion).isPacked ? maxBigint(most - weiPerUnit, 0n) : most;
}

async function measurePayment(context: EstimationContext, request: TrialRequest): Promise<MeasuredPayment> {
  const plan = { executionCeiling, searchRounds: 0n, postOpRounds: searchRounds };
  const measured = await measureNext(context, request, plan);
  if (!measured.ok) return { tokenRecipientHolds: false };
  const [, inTokenRecipient] = measured.value.answers;
  const tokenRecipientHolds = holdsSome(inTokenRecipient);
  if (!measured.value.probed.charged) return { tokenRecipientHolds };
  const { postOpLimit: postOpGas, tokenBalance: balance } = measured.value.probed;
  return { payable: { postOpGas, balance }, tokenRecipientHolds };
}

/** The limit that bounds `postOp`. */
export function postOpLimitField(version: EntryPointVersion): 'verificationGasLimit' | 'paymasterPostOpGasLimit' {
  return entryPointOf(version).isPacked ? 'paymasterPostOpGasLimit' : 'verificationGasLimit';
}

/** How much it is, in gas. */
export function postOpLimitOf({ entryPointVersion, gas }: UserOperationWithGas): bigint {
  return gas[postOpLimitField(entryPointVersion)];
}

async function refusePayment(
  context: EstimationContext,
  request: TrialRequest,
  { tokenBalance: balance, tokenAllowance: allowance }: Probed,
  revertData: Hex,
): Promise<Result<never>> {
  const { token, paymaster, needed, permit, operation, tokenRecipient } = request;
  const failed = { token, paymaster, needed, balance, allowance };
  if (permit !== undefined && balance >= needed && allowance < needed) {
    const own = await tryCall(context, request, permitCall(permit, operation.sender, paymaster));
    const permitRevert = own === undefined ? undefined : revertDetails(own);
    const revert = revertDetails(revertData);
    return refuse(tokenPaymentRefusal({ ...failed, revert, permit: { value: permit.value, revert: permitRevert } }));
  }
  const args = [operation.sender, tokenRecipient, needed] as const;
  const transfer = encodeFunctionData({ abi: erc20Abi, functionName: 'transferFrom', args });
  const hasFunds = balance >= needed && allowance >= needed;
  const own = hasFunds ? await tryCall(context, request, transfer) : undefined;
  return refuse(tokenPaymentRefusal({ ...failed, revert: revertDetails(own ?? revertData) }));
}

/** The token's revert when the paymaster calls it before the operation's call; undefined if it succeeds. */
async function tryCall(
  { client, origin }: EstimationContext,
  { token, paymaster, operation }: Pick<TrialRequest, 'token' | 'paymaster' | 'operation'>,
  call: Hex,
): Promise<Hex | undefined> {
  const functionName = 'capture';
  const tried = await callSimulated(client, {
    to: paymaster,
    code: callGasProbeCode,
    origin,
    tip: operation.maxPriorityFeePerGas,
    data: encodeFunctionData({ abi: callGasProbeAbi, functionName, args: [token.address, call] }),
    overrides: {},
    decode: (data) => decodeFunctionResult({ abi: callGasProbeAbi, functionName, data }),
  });
  if (!tried.ok) return undefined;
  const [succeeded, answer] = tried.value;
  return succeeded ? undefined : answer;
}

const abi = parseAbi([
  'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
  'function permit(address owner, address spender, uint256 value, uint256 deadline, bytes signature)',
]);
const keySignatureBytes = 65;

/** The call with which a paymaster contract forwards a permit to the token. */
function permitCall({ value, deadline, signature }: TokenPermit, owner: Address, spender: Address): Hex {
  const common = [owner, spender, value, deadline] as const;
  if (size(signature) !== keySignatureBytes) {
    return encodeFunctionData({ abi, functionName: 'permit', args: [...common, signature] });
  }
  const [r, s, v] = [slice(signature, 0, 32), slice(signature, 32, 64), Number(slice(signature, 64))];
  return encodeFunctionData({ abi, functionName: 'permit', args: [...common, v, r, s] });
}
