import { operationGasCaps } from '../../domain/operation-gas-caps.ts';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { UserOperationWithGas } from '../../domain/user-operation.ts';
import type { Identified } from '../request/identify.ts';
import type { Asked } from '../run/asked.ts';
import { notedIfRefused } from '../run/noted.ts';
import type { Step } from '../run/steps.ts';

type Limited = Asked & Identified & { readonly operation: UserOperationWithGas };

/** The operator's caps on the gas limits of one operation: what an account can do at the sponsor's cost at most. */
export const capOperationGas: Step<Limited, object> = notedIfRefused(
  { rule: 'operation-gas', checked: 'the gas limits of the operation' },
  ({ chain, profile, operation }: Limited): Result<object> => {
    const { accounts } = profile.policy;
    const caps = operationGasCaps(chain.config.accounts, accounts);
    const { callGasLimit, verificationGasLimit } = operation.gas;
    const validation = operation.initCode === '0x' ? 'verification' : 'deployment';
    const limits = [
      { field: 'callGasLimit', asked: callGasLimit, cap: 'call' },
      { field: 'verificationGasLimit', asked: verificationGasLimit, cap: validation },
    ] as const;
    const above = limits.find(({ asked, cap }) => asked > caps[cap]);
    if (above === undefined) return accept({});
    const { field, asked, cap } = above;
    return refuse({
      reason: 'LIMIT_EXCEEDED',
      limitKind: 'OPERATOR_CAP',
      message: `${field} is ${asked} gas; at most ${caps[cap]} is signed for one operation on this chain.`,
      field,
      details: { limit: `accounts.gas.${accounts}.${cap}`, max: caps[cap].toString(), asked: asked.toString() },
    });
  },
);
