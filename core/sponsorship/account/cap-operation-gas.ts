import type { EntryPointVersion } from '../../domain/entry-point-version.ts';
import { operationGasCaps } from '../../domain/operation-gas-caps.ts';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import { minBigint } from '../../domain/values/bigint-bounds.ts';
import type { WithDataGas, WithGas } from '../gas/choose-gas.ts';
import type { Identified } from '../request/identify.ts';
import type { Asked } from '../run/asked.ts';
import { notedIfRefused } from '../run/noted.ts';
import type { Step } from '../run/steps.ts';

type Limited = Asked & Identified & WithGas & WithDataGas;

/**
 * Most `preVerificationGas` where a contract may bundle: it makes an operation's bytes in memory and publishes none of them,
 * and keeps what they were paid for.
 */
const maxWhereContractsBundle = 100_000n;
const contractsBundle: readonly EntryPointVersion[] = ['0.6', '0.7', '0.8'];

/** The operator's caps on the gas limits of one operation: what an account can do at the sponsor's cost at most. */
export const capOperationGas: Step<Limited, object> = notedIfRefused(
  { rule: 'operation-gas', checked: 'the gas limits of the operation' },
  (request: Limited): Result<object> => {
    const { callGasLimit, verificationGasLimit, preVerificationGas } = request.operation.gas;
    const { accounts } = request.profile.policy;
    const caps = operationGasCaps(request.chain.config.accounts, accounts);
    const validation = request.operation.initCode === '0x' ? 'verification' : 'deployment';
    const limits = [
      { field: 'callGasLimit', asked: callGasLimit, max: caps.call, limit: `accounts.gas.${accounts}.call` },
      {
        field: 'verificationGasLimit',
        asked: verificationGasLimit,
        max: caps[validation],
        limit: `accounts.gas.${accounts}.${validation}`,
      },
      { field: 'preVerificationGas', asked: preVerificationGas, ...maxPreVerificationGas(request) },
    ];
    const above = limits.find(({ asked, max }) => asked > max);
    if (above === undefined) return accept({});
    const { field, asked, max, limit } = above;
    return refuse({
      reason: 'LIMIT_EXCEEDED',
      limitKind: 'OPERATOR_CAP',
      message: `${field} is ${asked} gas. At most ${max} is signed for one operation on this chain.`,
      field,
      details: { limit, max: max.toString(), asked: asked.toString() },
    });
  },
);

/** By the policy and the operator, whichever says less. What a layer 2 charges for data comes on top and may double. */
function maxPreVerificationGas({ chain, contract, profile, dataGas = 0n }: Limited) {
  const { accounts, maxPreVerificationGas: ofPolicy } = profile.policy;
  const setting = `accounts.gas.${accounts}.preVerification`;
  const configured = chain.config.accounts?.gas?.[accounts]?.preVerification;
  const isTemplated =
    chain.config.bundlers === undefined && contractsBundle.includes(contract.family.entryPointVersion);
  const byDefault = operationGasCaps(undefined, accounts).preVerification;
  const ofOperator = configured ?? (isTemplated ? minBigint(byDefault, maxWhereContractsBundle) : byDefault);
  const isPolicys = ofPolicy !== undefined && BigInt(ofPolicy) < ofOperator;
  return {
    max: (isPolicys ? BigInt(ofPolicy) : ofOperator) + 2n * dataGas,
    limit: isPolicys ? 'maxPreVerificationGas' : setting,
  };
}
