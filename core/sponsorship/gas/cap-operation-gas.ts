import { operationGasCaps } from '../../domain/known-accounts-config.ts';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { UserOperation, UserOperationWithGas } from '../../domain/user-operation.ts';
import { wholePercent } from '../../domain/user-share.ts';
import { authorizationGas, type GasSchedule, gasScheduleOf, gasSchedules } from '../../gas/gas-schedule.ts';
import { hasP256, p256InSolidity } from '../../node/p256-precompile.ts';
import type { Identified } from '../identify/identify.ts';
import { type Asked, notedIfRefused, type Step, type UserPays } from '../run/steps.ts';
import { lowerLimits } from './check-given-limits.ts';
import { type AskedForGas, isEstimated, type WithDataGas, type WithGas, type WithOwnGas } from './choose-gas.ts';

type Limited = Asked & Identified & WithDataGas;
type Asking = Limited & AskedForGas & WithGas & Partial<WithOwnGas>;

/**
 * The operator's caps on the gas limits of one operation, which bound what an account can do at the sponsor's cost. A
 * client's call and validation limits above a cap are replaced by our own, if the answer contains limits.
 */
export const capOperationGas: Step<Asking, WithGas> = notedIfRefused(
  { rule: 'operation-gas', finding: ['operation-gas'] },
  async (request: Asking): Promise<Result<WithGas>> => {
    // Copying the request for its operation would take longer than the check.
    const capped = checkCaps(request, request.operation);
    if (capped.ok || capped.refusal.field === 'preVerificationGas') return capped;
    const own = await ownLimits(request, capped);
    if (own === undefined) return capped;
    const again = checkCaps(request, own);
    return again.ok ? again : capped;
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

function checkCaps(request: Limited, operation: UserOperationWithGas): Result<WithGas> {
  const { callGasLimit, verificationGasLimit, preVerificationGas } = operation.gas;
  const { chain, profile } = request;
  const { accounts } = profile.policy;
  const caps = operationGasCaps(chain.config.accounts, accounts, gasScheduleOf(chain.client));
  const validation = operation.initCode === '0x' ? 'verification' : 'deployment';
  const setting = `accounts.gas.${accounts}`;
  const limits = [
    { field: 'callGasLimit', asked: callGasLimit, max: caps.call, limit: `${setting}.call` },
    {
      field: 'verificationGasLimit',
      asked: verificationGasLimit,
      max: caps[validation],
      limit: `${setting}.${validation}`,
    },
    {
      field: 'preVerificationGas',
      asked: preVerificationGas,
      ...maxPreVerificationGas(request, operation, caps.preVerification),
    },
  ];
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

/** Why validation may be expensive on this chain, for accounts with passkeys. */
function aboutPasskeys({ chain }: Limited, { field }: { readonly field: string }): string {
  return field === 'verificationGasLimit' && hasP256(chain.client) === false
    ? ` ${p256InSolidity} Sign with another key, or have the operator raise the cap.`
    : '';
}

/** A fork's price of the operation's authorization beyond Prague's, for which the caps are set. */
function dearerAuthorization(schedule: GasSchedule, operation: UserOperation): bigint {
  return authorizationGas(schedule, operation) - authorizationGas(gasSchedules.prague, operation);
}

/** The operator's caps where the sponsor pays a share of an operation in token mode. */
export const capSharedGas: Step<Asking & UserPays, WithGas> = (request) =>
  request.userPercent === wholePercent ? accept({ operation: request.operation }) : capOperationGas(request);

/** The lower of the policy's and the operator's cap. The data fee of a layer 2 is added and may double. */
function maxPreVerificationGas(
  { chain, profile, dataGas = 0n }: Limited,
  operation: UserOperationWithGas,
  cap: bigint,
) {
  const { accounts, maxPreVerificationGas: ofPolicy } = profile.policy;
  const ofOperator = cap + dearerAuthorization(gasScheduleOf(chain.client), operation);
  const isPolicys = ofPolicy !== undefined && BigInt(ofPolicy) < ofOperator;
  return {
    max: (isPolicys ? BigInt(ofPolicy) : ofOperator) + 2n * dataGas,
    limit: isPolicys ? 'maxPreVerificationGas' : `accounts.gas.${accounts}.preVerification`,
  };
}
