import { maxBigint, minBigint } from '../../base/values/integers.ts';
import { defaultTransactionGasCap, maxVerificationGas } from '../../domain/chain-config.ts';
import type { Refusal } from '../../domain/result/refusal.ts';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { UserOperationWithGas } from '../../domain/user-operation.ts';
import { type AccountCodeKind, dummySignature } from '../../evm/account-codes/known-code.ts';
import type { SignedTerms } from '../../evm/paymaster-contracts/family/family.ts';
import type { GuardedLimit } from '../../gas/compare-limits.ts';
import type { Guarded } from '../../gas/given-limits-check.ts';
import { maxSignatures } from '../../gas/unseen-signatures.ts';
import type { Identified } from '../identify/identify.ts';
import { type Asked, inTurn, noted, notedIfRefused, type Step } from '../run/steps.ts';
import {
  type AskedForGas,
  isEstimated,
  mayRevert,
  type WithAccount,
  type WithContractState,
  type WithDataGas,
  type WithGas,
  type WithSimulation,
} from './choose-gas.ts';
import { addUnseenGas, estimationParts, findGasLimits, unseenGasOf } from './find-gas-limits.ts';
import { safeThreshold } from './safe-signatures.ts';

type Found = WithGas & WithDataGas & WithSimulation & WithAccount & WithContractState;
type GuardedRequest = AskedForGas & Found;

/** Given limits must not be far above the need, nor too low. Estimated ones are neither. */
export const checkGivenLimits: Step<GuardedRequest, Found> = (request) =>
  isEstimated(request.context)
    ? accept({
        operation: request.operation,
        dataGas: request.dataGas,
        isSimulated: request.isSimulated,
        seenAccount: request.seenAccount,
        contractState: request.contractState,
      })
    : guardGiven(request);

const guardGiven = noted({ rule: 'given-limits', finding: ['given-limits'] }, async (request: GuardedRequest) => {
  const guarded = await inTurn(request, () => guardOrRaise(request));
  return !guarded.ok && request.mayLowerLimits && isTooHigh(guarded.refusal) ? lowerLimits(request, guarded) : guarded;
});

/**
 * Clients send round numbers for calls and validation. All of `preVerificationGas` goes to the bundler, so an excess there
 * is deliberate.
 */
function isTooHigh({ reason, limitKind, field }: Refusal): boolean {
  return reason === 'LIMIT_EXCEEDED' && limitKind === 'GAS_LIMIT' && field !== 'preVerificationGas';
}

/** Replaces limits that are far above the need by our own; keeps the refusal if they cannot be estimated. */
export async function lowerLimits(request: AskedForGas, refused: Result<Found>): Promise<Result<Found>> {
  const { signedTerms, operation } = request;
  const input = {
    calculate: true,
    signedTerms,
    callGasAllowance: 0n,
    withoutUnseenGas: 'refuse',
    keepsGiven: true,
  } as const;
  const gas = await findGasLimits(request, input);
  if (!gas.ok) return refused;
  const { limits, dataGas, account, contractState } = gas.value;
  const isSimulated = !mayRevert(request);
  return accept({
    operation: { ...operation, gas: limits },
    dataGas,
    isSimulated,
    seenAccount: account,
    contractState,
  });
}

/** The operation if its limits suffice; with a raised verification limit if that suffices and is allowed. */
async function guardOrRaise(request: GuardedRequest): Promise<Result<Found>> {
  const { operation, signedTerms, mayRaiseLimits } = request;
  const guarded = await checkGasLimits(request, operation, signedTerms);
  if (guarded.ok) return accept(found(request, operation, guarded.value));
  const { reason, field } = guarded.refusal;
  const unseen = unseenGasOf(request);
  const isShort = reason === 'ESTIMATION_FAILED' && field === 'verificationGasLimit';
  if (!mayRaiseLimits || !unseen.ok || unseen.value.unseen === 0n || !isShort) return guarded;
  const raised = { ...operation, gas: addUnseenGas(operation.gas, unseen.value) };
  const again = await checkGasLimits(request, raised, signedTerms);
  return again.ok ? accept(found(request, raised, again.value)) : guarded;
}

function found(
  request: GuardedRequest,
  operation: Found['operation'],
  { dataGas, account, answers = [], unestimated }: Guarded,
): Found {
  const isSimulated = unestimated !== true && !mayRevert(request);
  return { operation, dataGas, isSimulated, seenAccount: account, contractState: answers[0] };
}

/**
 * Refuses given limits that are far above the need, or so low that the operation fails (`GivenLimitsCheck`). Estimated ones are
 * neither.
 */
async function checkGasLimits(
  identified: Identified,
  operation: UserOperationWithGas,
  signedTerms: SignedTerms,
): Promise<Result<Guarded>> {
  const { chain, contract } = identified;
  const { location } = contract;
  const unseen = unseenGasOf({ ...identified, operation });
  if (!unseen.ok) return unseen;
  return chain.givenLimitsCheck.check({
    operation,
    signatureOfKind: async () => {
      const kind = await kindOf(identified, operation);
      return kind.ok ? accept(kind.value && (kind.value.estimationSignature ?? dummySignature)) : kind;
    },
    mostOfKind: ({ field, max }) => mostOfKind(identified, operation, { field, max }),
    payment: `${location.address} ${signedTerms.mode} ${signedTerms.mode === 'ERC20' ? signedTerms.token : ''}`,
    complete: (estimated) => addUnseenGas(estimated, unseen.value),
    unseenVerificationGas: unseen.value.unseen,
    ...estimationParts(identified, signedTerms, operation),
  });
}

/** How much of a limit is signed for the sender's kind, whose client asks for more than others: at least `max`, in gas. */
export async function mostOfKind(
  identified: Identified,
  operation: UserOperationWithGas,
  { field, max }: { readonly field: GuardedLimit; readonly max: bigint },
): Promise<Result<bigint>> {
  const kind = await kindOf(identified, operation);
  if (!kind.ok) return kind;
  const { leastVerification = 0n, perFurtherOwner } = kind.value?.clientGas ?? {};
  const least = field === 'verificationGasLimit' ? leastVerification : 0n;
  if (perFurtherOwner === undefined || field === 'callGasLimit') return accept(maxBigint(least, max));
  const owners = maxBigint(await safeThreshold(identified.chain.client, operation), 1n);
  return accept(max + perFurtherOwner[field] * (minBigint(owners, BigInt(maxSignatures)) - 1n));
}

/** The sender's kind now; undefined if its code is not known. */
async function kindOf(
  { chain, contract }: Identified,
  operation: UserOperationWithGas,
): Promise<Result<AccountCodeKind | undefined>> {
  const reading = await chain.accountReader.read(operation, contract.location.entryPoint, undefined);
  if (!reading.ok) return reading;
  return accept('kind' in reading.value ? reading.value.kind : undefined);
}

/** Refuses operations that no bundler accepts, before holding and signing. */
export const checkBundlersTake: Step<Asked & Identified & WithGas, object> = notedIfRefused(
  { rule: 'operation-gas', finding: ['bundler-gas'] },
  ({ chain, operation }): Result<object> => {
    const { verificationGasLimit, paymasterVerificationGasLimit } = operation.gas;
    const cap = BigInt(chain.config.transactionGasCap ?? defaultTransactionGasCap);
    const verification = verificationGasLimit + paymasterVerificationGasLimit;
    if (verification > maxVerificationGas) {
      return refuseGas({ field: 'verificationGasLimit', asked: verification, max: maxVerificationGas });
    }
    const asked = Object.values(operation.gas).reduce((sum, limit) => sum + limit, 0n);
    return asked > cap ? refuseGas({ asked, max: cap }) : accept({});
  },
);

function refuseGas({ field, asked, max }: { field?: string; asked: bigint; max: bigint }): Result<never> {
  const what = field === undefined ? 'The gas limits of the operation' : 'The verification gas limits of the operation';
  const setting = field === undefined ? 'transactionGasCap' : 'maxVerificationGas';
  return refuse({
    reason: 'LIMIT_EXCEEDED',
    limitKind: 'GAS_LIMIT',
    message: `${what} come to ${asked} gas, but bundlers accept at most ${max}. Split the operation into smaller ones.`,
    ...(field === undefined ? {} : { field }),
    details: { limit: setting, asked: asked.toString(), max: max.toString() },
  });
}
