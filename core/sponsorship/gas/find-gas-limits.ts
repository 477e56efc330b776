import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Address, Hex } from 'viem';
import { maxBigint, minBigint } from '../../base/values/integers.ts';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { GasLimits, UserOperation } from '../../domain/user-operation.ts';
import type { SignedTerms, TokenPermit, VerificationGas } from '../../evm/paymaster-contracts/family/family.ts';
import {
  type Bounds,
  boundsOf,
  type GuardedLimit,
  guardedLimits,
  maxLimit,
  type OwnLimits,
} from '../../gas/compare-limits.ts';
import type { EstimationRequest } from '../../gas/estimator.ts';
import { gasScheduleOf } from '../../gas/gas-schedule.ts';
import { unseenSignatureGas } from '../../gas/unseen-signatures.ts';
import type { SeenAccount } from '../../node/account-codes/seen-account.ts';
import type { Identified } from '../identify/identify.ts';
import type { ReadOperation } from '../identify/read-user-operation.ts';
import { type Asked, inTurn } from '../run/steps.ts';
import {
  emptyTokenRecipientGas,
  type PaymasterGas,
  tokenRecipientHolds,
  tokenRecipientReads,
} from './token-recipient-room.ts';

/** How far above the need a given limit is kept. Bundlers refuse operations that use less than 0.4 of their limits. */
const keptFactor = 2n;

/**
 * The limits to sign and return: the client's if they suffice and are not far above the need, else the estimated ones.
 * Clients send 0 for a missing limit.
 */
function keepGivenLimits(
  given: Partial<GasLimits>,
  needed: GasLimits,
  known: { readonly own: OwnLimits; readonly bounds: Bounds },
): GasLimits {
  const choose = (field: GuardedLimit): bigint => {
    const wish = given[field] ?? 0n;
    return wish >= needed[field] && wish <= mostKept(field, needed, known) ? wish : needed[field];
  };
  const [callGasLimit, verificationGasLimit, preVerificationGas] = guardedLimits.map(choose) as [
    bigint,
    bigint,
    bigint,
  ];
  return { ...needed, callGasLimit, verificationGasLimit, preVerificationGas };
}

function mostKept(
  field: GuardedLimit,
  needed: GasLimits,
  { own, bounds }: { readonly own: OwnLimits; readonly bounds: Bounds },
): bigint {
  const most = maxLimit(field, own, bounds);
  return field === 'preVerificationGas' ? most : minBigint(most, keptFactor * needed[field]);
}

/**
 * Call gas of the `approve` that a client prepends to a token operation after its quote: a first allowance on a token behind
 * a proxy, inside a batch.
 */
export const approvalGasAllowance = 60_000n;

/**
 * How far a paymaster's own limit may exceed its need when the client gives it. The estimator raises it by less; more only
 * increases the hold, and unused `postOp` gas costs a penalty that token mode does not pass on.
 */
export const paymasterGasFactor = 2n;

/** Limits; also, from their simulation, the sender's state and the paymaster contract's answer, if they were requested. */
type ChosenGas = {
  readonly limits: GasLimits;
  /** Our own, where `limits` are a bundler's. */
  readonly ownLimits?: GasLimits;
  /** Which part of `preVerificationGas` pays for data on a layer 2; undefined for limits that were not estimated. */
  readonly dataGas?: bigint;
  readonly account?: SeenAccount;
  readonly contractState?: Hex;
  /** Whether the token recipient was seen to have some of each token; false where it was not read. */
  readonly tokenRecipientHolds: boolean;
};

/**
 * The limits that will be signed: the client's own (`calculateGasLimits` false: all three are required) or estimated. The
 * paymaster's own limits are the service's, unless the client's suffice and are not excessive: the client may have them from
 * a stub. A given limit that omits the contract's unseen part is refused, or raised if the client gets its limits back.
 */
export async function findGasLimits(
  identified: Asked & Identified & ReadOperation,
  input: {
    readonly calculate: boolean;
    readonly signedTerms: SignedTerms;
    readonly callGasAllowance: bigint;
    readonly withoutUnseenGas: 'raise' | 'refuse';
    /** Tokens that the limits have to do for; the signed terms' own when absent. */
    readonly tokens?: readonly Address[];
    /** Whether usable limits from the client are kept although limits are estimated. */
    readonly keepsGiven?: boolean;
  },
): Promise<Result<ChosenGas>> {
  const { signedTerms } = input;
  const unseen = unseenGasOf(identified);
  if (!unseen.ok) return unseen;
  if (!input.calculate) {
    const { givenGas } = identified;
    const paymasterGas = paymasterGasOf(identified, signedTerms, identified.operation);
    const least = leastPaymasterGas(identified, signedTerms, paymasterGas);
    const given = useGivenLimits(givenGas, paymasterLimits(givenGas, paymasterGas, least));
    if (!given.ok) return given;
    const limits = checkUnseenGas(given.value, unseen.value, input.withoutUnseenGas);
    return limits.ok ? accept({ limits: limits.value, tokenRecipientHolds: false }) : limits;
  }
  const { operation } = identified;
  const { paymasterGas, reads: stateReads = [], ...parts } = estimationParts(identified, signedTerms, operation);
  const room = emptyTokenRecipientGas(identified, signedTerms);
  const balanceReads = tokenRecipientReads(identified, signedTerms, input.tokens);
  const estimated = await inTurn(identified, () =>
    identified.chain.estimator.estimate({
      ...parts,
      operation,
      callGasAllowance: input.callGasAllowance,
      paymasterGas: withoutRoom(paymasterGas, room),
      reads: [...stateReads, ...balanceReads],
    }),
  );
  if (!estimated.ok) return estimated;
  const { ownLimits: ofOurs, maxPreVerificationGas, dataGas, account, answers } = estimated.value;
  const [contractState] = answers.slice(0, stateReads.length);
  const isHolding = tokenRecipientHolds(answers.slice(stateReads.length));
  const complete = (gas: GasLimits) => addUnseenGas(isHolding ? gas : withRoom(gas, room, paymasterGas), unseen.value);
  const limits = complete(estimated.value.limits);
  const found = { dataGas, tokenRecipientHolds: isHolding, ...omitAbsent({ account, contractState }) };
  const ownLimits = ofOurs === undefined ? undefined : complete(ofOurs);
  if (input.keepsGiven !== true) return accept({ limits, ...omitAbsent({ ownLimits }), ...found });
  const unseenGas = unseen.value.unseen;
  const own = { limits: ownLimits ?? limits, dataGas, maxPreVerificationGas, unseenGas };
  const prices = gasScheduleOf(identified.chain.client);
  const bounds = boundsOf(identified.chain.config, prices, operation.entryPointVersion);
  const { givenGas } = identified;
  const kept = keepGivenLimits(givenGas, { ...limits, ...paymasterLimits(givenGas, limits) }, { own, bounds });
  return accept({ limits: kept, ownLimits: own.limits, ...found });
}

/** The limits of the paymaster alone for an operation, with room for an empty token recipient. */
function paymasterGasOf(
  { chain, contract }: Identified,
  signedTerms: SignedTerms,
  operation: UserOperation,
): PaymasterGas {
  return contract.family.paymasterGasLimits(
    signedTerms.mode,
    gasScheduleOf(chain.client),
    operation,
    permitOf(signedTerms),
  );
}

/** The inputs of an estimate from the paymaster and its future terms. */
export function estimationParts(
  request: Identified,
  signedTerms: SignedTerms,
  operation: UserOperation,
): Pick<EstimationRequest, 'entryPoint' | 'paymasterGas' | 'stub' | 'mayRevert' | 'accountSlots' | 'reads'> {
  const { chain, contract, profile } = request;
  const { family, location } = contract;
  const data = signedTerms.mode === 'SPONSORED' ? family.stateData?.(operation) : undefined;
  return {
    entryPoint: location.entryPoint,
    paymasterGas: paymasterGasOf(request, signedTerms, operation),
    stub: (withGas) => family.stub(location, withGas, toEstimateWith(signedTerms)),
    // In token mode the user pays, so only the operator's rules apply.
    mayRevert: signedTerms.mode === 'SPONSORED' && profile.policy.allowRevertingOperations,
    accountSlots: signedTerms.mode === 'SPONSORED' ? chain.accountReader.slotsOf(operation) : undefined,
    ...(data === undefined ? {} : { reads: [{ to: location.address, data }] }),
  };
}

/**
 * Latest time that no EntryPoint reads as a block number (47 bits): two more nonzero bytes, as a part in advance may have.
 */
const latestTime = 2 ** 47 - 1;

/** For token mode: terms whose data costs no less than the one signed later. Estimates take nothing in advance. */
function toEstimateWith(signedTerms: SignedTerms): SignedTerms {
  return signedTerms.mode === 'SPONSORED' ? signedTerms : { ...signedTerms, validUntil: latestTime };
}

/** The permit that signed terms pass on, if any. */
export function permitOf(signedTerms: SignedTerms): TokenPermit | undefined {
  return signedTerms.mode === 'ERC20' ? signedTerms.permit : undefined;
}

/** The part of `verificationGasLimit` that no simulation with a stub and a dummy signature reaches, and its least value, in gas. */
type UnseenGas = VerificationGas;

/** What the paymaster contract (0.6) and the signatures of an account's further owners need. */
export function unseenGasOf(request: Identified & Pick<ReadOperation, 'operation'>): Result<UnseenGas> {
  const { chain, contract, operation } = request;
  const { unseen = 0n, min = 0n } = contract.family.verificationGas?.(gasScheduleOf(chain.client)) ?? {};
  const ofSignatures = unseenSignatureGas(operation.signature);
  return ofSignatures.ok ? accept({ unseen: unseen + ofSignatures.value, min }) : ofSignatures;
}

/** Limits of an estimate with a stub and dummy signatures, completed by what such an estimate does not include. */
export function addUnseenGas<Limits extends Pick<GasLimits, 'verificationGasLimit'>>(
  gas: Limits,
  { unseen, min }: UnseenGas,
): Limits {
  return { ...gas, verificationGasLimit: maxBigint(gas.verificationGasLimit + unseen, min) };
}

function checkUnseenGas(gas: GasLimits, own: UnseenGas, otherwise: 'raise' | 'refuse'): Result<GasLimits> {
  if (gas.verificationGasLimit >= own.min) return accept(gas);
  if (otherwise === 'raise') return accept(addUnseenGas(gas, own));
  const message = `verificationGasLimit must be at least ${own.min} with this paymaster`;
  return refuse({ reason: 'INVALID_PARAMS', message, field: 'verificationGasLimit' });
}

/** The limits without the room for an empty token recipient. */
function withoutRoom(gas: PaymasterGas, room: PaymasterGas): PaymasterGas {
  return {
    paymasterVerificationGasLimit: gas.paymasterVerificationGasLimit - room.paymasterVerificationGasLimit,
    paymasterPostOpGasLimit: gas.paymasterPostOpGasLimit - room.paymasterPostOpGasLimit,
  };
}

/** Estimated limits with the room that they were estimated without. A measured postOp contains what it needs. */
function withRoom(gas: GasLimits, room: PaymasterGas, whole: PaymasterGas): GasLimits {
  return {
    ...gas,
    paymasterVerificationGasLimit: gas.paymasterVerificationGasLimit + room.paymasterVerificationGasLimit,
    paymasterPostOpGasLimit: maxBigint(gas.paymasterPostOpGasLimit, whole.paymasterPostOpGasLimit),
  };
}

/** The least limits of the paymaster that a stub may have: without the room for an empty token recipient and for an advance. */
function leastPaymasterGas(request: Identified, signedTerms: SignedTerms, whole: PaymasterGas): PaymasterGas {
  if (signedTerms.mode === 'SPONSORED') return whole;
  const { chain, contract } = request;
  const least = withoutRoom(whole, emptyTokenRecipientGas(request, signedTerms));
  const advanceGas = contract.family.advanceGas?.(gasScheduleOf(chain.client)) ?? 0n;
  // The gas of an advance contains that room.
  return { ...least, paymasterVerificationGasLimit: whole.paymasterVerificationGasLimit - advanceGas };
}

/**
 * The paymaster's own limits for an operation with the client's limits: the client's if they are at least `least` and not
 * excessive, else what is needed.
 */
export function paymasterLimits(
  given: ReadOperation['givenGas'],
  needed: PaymasterGas,
  least: PaymasterGas = needed,
): PaymasterGas {
  const choose = (limit: keyof PaymasterGas): bigint => {
    const wish = given[limit] ?? 0n;
    return wish > 0n && wish >= least[limit] && wish <= needed[limit] * paymasterGasFactor ? wish : needed[limit];
  };
  return {
    paymasterVerificationGasLimit: choose('paymasterVerificationGasLimit'),
    paymasterPostOpGasLimit: choose('paymasterPostOpGasLimit'),
  };
}

function useGivenLimits(given: ReadOperation['givenGas'], paymasterGas: PaymasterGas): Result<GasLimits> {
  const { callGasLimit, verificationGasLimit, preVerificationGas } = given;
  const missing = (field: string): Result<never> =>
    refuse({ reason: 'INVALID_PARAMS', message: `${field} must be a number when calculateGasLimits is false`, field });
  if (callGasLimit === undefined) return missing('callGasLimit');
  if (verificationGasLimit === undefined) return missing('verificationGasLimit');
  if (preVerificationGas === undefined) return missing('preVerificationGas');
  return accept({ callGasLimit, verificationGasLimit, preVerificationGas, ...paymasterGas });
}
