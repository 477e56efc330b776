import { omitAbsent } from '@tollfree/contract/omit-absent';
import { minBigint } from '../../base/values/integers.ts';
import { operationGasCaps } from '../../domain/known-accounts-config.ts';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { UserOperation, UserOperationWithGas } from '../../domain/user-operation.ts';
import { wholePercent } from '../../domain/user-share.ts';
import { entryPointOf } from '../../evm/entry-point/entry-points.ts';
import { authorizationGas, type GasSchedule, gasScheduleOf, gasSchedules } from '../../gas/gas-schedule.ts';
import { measureCallsAlone } from '../../gas/simulation/probe-account.ts';
import { hasP256, p256InSolidity } from '../../node/p256-precompile.ts';
import type { Identified } from '../identify/identify.ts';
import type { PaidCalls } from '../permit/decode-calls.ts';
import { type Asked, inTurn, notedIfRefused, type Step, type UserPays } from '../run/steps.ts';
import {
  type AskedForGas,
  isEstimated,
  mayRevert,
  type WithAccount,
  type WithDataGas,
  type WithGas,
  type WithOwnGas,
} from './choose-gas.ts';
import type { MayRunModules } from './decide-account.ts';
import { bindsCallGas } from './find-gas-limits.ts';
import { lowerLimits } from './guard-gas.ts';

/** The most `callGasLimit` that is signed, in gas. `fails` if the calls fail without the sender's own code. */
type CallBound = { readonly max: bigint; readonly fails: boolean };

/** Margin in percent of what the calls need: bundlers add up to 30 % to the gas of their simulation. */
const marginPercent = 25n;
/**
 * Gas allowed for accounts' own work. Setting and clearing one slot takes 22,200 plus the call of a module, so a hook cannot
 * profit from an operation with few calls.
 */
const roomOfModules = 10_000n;
/**
 * Allowance for an account whose deployment is pending: its client cannot estimate yet and sends round limits. An attacker
 * could set and clear two more slots with it.
 */
const roomOfPending = 60_000n;

/**
 * A hook, or other code that a module deploys during validation, may set and clear storage: our estimate includes that gas,
 * the tank pays for it, and the chain refunds up to a fifth of the transaction's gas to the bundler. So an account with
 * modules only gets what its calls need without them. Undefined if no bound is needed.
 */
async function boundCallGas(
  request: AskedForGas & WithGas & WithAccount & MayRunModules,
): Promise<Result<CallBound | undefined>> {
  const { calls, mayRunModules, isPending, seenAccount, chain, operation } = request;
  if (!mayRunModules || calls === undefined || !bindsCallGas(request)) return accept(undefined);
  const measured =
    seenAccount?.callsAlone === undefined
      ? await inTurn(request, () => measureCallsAlone(chain, operation.sender, calls))
      : accept(seenAccount.callsAlone);
  if (!measured.ok) return measured;
  const { made, gas } = measured.value;
  const room = isPending ? roomOfPending : roomOfModules;
  const needed = made || mayRevert(request) ? gas : 0n;
  return accept({ max: needed + (needed * marginPercent) / 100n + room, fails: !made });
}

const remedy = 'have the operator name bundlers for the chain';

/** The account needs more gas than its calls: its hooks, or other modules, use the rest. */
function refuseNeededCallGas(needed: bigint, { max, fails }: CallBound): Result<never> {
  const why = fails
    ? 'Its calls fail without the code of the sender, so that no gas of theirs can be told from that of hooks.'
    : 'Hooks of the sender run with its calls, and can spend their gas.';
  return refuse({
    reason: 'ACCOUNT_NOT_KNOWN',
    message: `The operation needs callGasLimit ${needed}, and at most ${max} is signed for its calls. ${why} Uninstall them, or ${remedy}.`,
    field: 'callGasLimit',
    details: { asked: needed.toString(), max: max.toString() },
  });
}

/** Refuses a client's limit that is too high. */
function refuseGivenCallGas(asked: bigint, { max }: CallBound): Result<never> {
  return refuse({
    reason: 'LIMIT_EXCEEDED',
    limitKind: 'GAS_LIMIT',
    message: `callGasLimit is ${asked} gas. At most ${max} is signed for these calls of an account that runs modules. Send less, or ${remedy}.`,
    field: 'callGasLimit',
    details: { limit: 'bundlers', asked: asked.toString(), max: max.toString() },
  });
}

type Limited = Asked & Identified & WithDataGas & MayRunModules;
type Asking = Limited & AskedForGas & WithGas & WithAccount & Partial<WithOwnGas>;

/**
 * Most `preVerificationGas` where a contract may bundle: it creates an operation's bytes in memory without publishing them,
 * and keeps the payment for them.
 */
const maxWhereContractsBundle = 100_000n;

/**
 * The operator's caps on the gas limits of one operation, which bound what an account can do at the sponsor's cost. A
 * client's call and validation limits above a cap are replaced by our own, if the answer contains limits.
 */
export const capOperationGas: Step<Asking, WithGas> = notedIfRefused(
  { rule: 'operation-gas', finding: ['operation-gas'] },
  async (request: Asking): Promise<Result<WithGas>> => {
    const bound = await boundCallGas(request);
    if (!bound.ok) return bound;
    // Copying the request for its operation would take longer than the check.
    const capped = checkCaps(request, request.operation, bound.value);
    if (capped.ok || capped.refusal.field === 'preVerificationGas') return capped;
    const own = await ownLimits(request, capped);
    if (own === undefined) return capped;
    const again = checkCaps(request, own, bound.value);
    if (again.ok) return again;
    const needed = own.gas.callGasLimit;
    return bound.value !== undefined && needed > bound.value.max ? refuseNeededCallGas(needed, bound.value) : capped;
  },
);

/** The operation with limits of our own estimate; undefined if the client's must be signed or refused unchanged. */
async function ownLimits(request: Asking, refused: Result<never>): Promise<UserOperationWithGas | undefined> {
  const { operation, ownGas, givenGas } = request;
  if (isEstimated(request.context)) return { ...operation, gas: ownGas ?? operation.gas };
  if (!request.mayLowerLimits) return undefined;
  const withoutGiven = { ...request, givenGas: { ...givenGas, callGasLimit: 0n, verificationGasLimit: 0n } };
  const lowered = await lowerLimits(withoutGiven, refused);
  return lowered.ok ? lowered.value.operation : undefined;
}

function checkCaps(request: Limited, operation: UserOperationWithGas, bound: CallBound | undefined): Result<WithGas> {
  const { callGasLimit, verificationGasLimit, preVerificationGas } = operation.gas;
  const { accounts } = request.profile.policy;
  const caps = operationGasCaps(request.chain.config.accounts, accounts);
  const limits = [
    { field: 'callGasLimit', asked: callGasLimit, max: caps.call, limit: `accounts.gas.${accounts}.call` },
    { field: 'verificationGasLimit', asked: verificationGasLimit, ...maxVerificationGas(request, operation) },
    { field: 'preVerificationGas', asked: preVerificationGas, ...maxPreVerificationGas(request, operation) },
  ];
  if (bound !== undefined && callGasLimit > bound.max) return refuseGivenCallGas(callGasLimit, bound);
  const above = limits.find(({ asked, max }) => asked > max);
  if (above === undefined) return accept({ operation });
  const { field, asked, max, limit } = above;
  return refuse({
    reason: 'LIMIT_EXCEEDED',
    limitKind: 'OPERATOR_CAP',
    message: `${field} is ${asked} gas. At most ${max} is signed for one operation on this chain.${aboutPasskeys(request, above)}`,
    field,
    details: { limit, max: max.toString(), asked: asked.toString() },
  });
}

/** Gas from which a passkey verified in Solidity may explain expensive validation. */
const leastOfPasskeys = 150_000n;

/** Why validation may be expensive on this chain, for accounts with passkeys. */
function aboutPasskeys(
  { chain }: Limited,
  { field, asked }: { readonly field: string; readonly asked: bigint },
): string {
  const mayBePasskey = field === 'verificationGasLimit' && asked >= leastOfPasskeys;
  return mayBePasskey && hasP256(chain.client) === false
    ? ` ${p256InSolidity} Sign with another key, or have the operator raise the cap.`
    : '';
}

/** A fork's price of the operation's authorization beyond Prague's, for which the caps are set. */
function dearerAuthorization(schedule: GasSchedule, operation: UserOperation): bigint {
  return authorizationGas(schedule, operation) - authorizationGas(gasSchedules.prague, operation);
}

/** The same where the sponsor pays a share of an operation in token mode. */
export const capSharedGas: Step<Asking & UserPays & PaidCalls, WithGas> = (request) =>
  request.userPercent === wholePercent
    ? accept({ operation: request.operation })
    : capOperationGas({ ...request, ...omitAbsent({ calls: request.paidCalls?.calls }) });

/**
 * Most gas for creating an account with modules. The modules that run meanwhile are known, and one that the operation
 * installs only gets the rest.
 */
const creationGas = 450_000n;

/**
 * A module may set and clear storage. The EntryPoint counts that gas, the tank pays for it, and the chain refunds up to a
 * fifth of the transaction's gas to the bundler. So the signed limit has room for the published validators and little else.
 * No module is exempt: the signature does not cover an account's modules, which may have changed when the operation lands.
 */
function maxVerificationGas(
  { chain, profile, mayRunModules, validatesPlainly }: Limited,
  operation: UserOperationWithGas,
) {
  const { accounts } = profile.policy;
  const caps = operationGasCaps(chain.config.accounts, accounts);
  const validation = operation.initCode === '0x' ? 'verification' : 'deployment';
  const setting = `accounts.gas.${accounts}`;
  const ofModules = caps.moduleVerification + (validation === 'deployment' ? creationGas : 0n);
  return mayRunModules && !validatesPlainly && chain.config.bundlers === undefined && ofModules < caps[validation]
    ? { max: ofModules, limit: `${setting}.moduleVerification` }
    : { max: caps[validation], limit: `${setting}.${validation}` };
}

/** The lower of the policy's and the operator's cap. The data fee of a layer 2 is added and may double. */
function maxPreVerificationGas({ chain, contract, profile, dataGas = 0n }: Limited, operation: UserOperationWithGas) {
  const { accounts, maxPreVerificationGas: ofPolicy } = profile.policy;
  const setting = `accounts.gas.${accounts}.preVerification`;
  const configured = chain.config.accounts?.gas?.[accounts]?.preVerification;
  const isTemplated =
    chain.config.bundlers === undefined && !entryPointOf(contract.family.entryPointVersion).onlyEoasBundle;
  const byDefault = operationGasCaps(undefined, accounts).preVerification;
  const withoutFork = configured ?? (isTemplated ? minBigint(byDefault, maxWhereContractsBundle) : byDefault);
  const ofOperator = withoutFork + dearerAuthorization(gasScheduleOf(chain.client), operation);
  const isPolicys = ofPolicy !== undefined && BigInt(ofPolicy) < ofOperator;
  return {
    max: (isPolicys ? BigInt(ofPolicy) : ofOperator) + 2n * dataGas,
    limit: isPolicys ? 'maxPreVerificationGas' : setting,
  };
}
