import type { Policy } from '../../domain/policy.ts';
import type { Refusal } from '../../domain/result/refusal.ts';
import type { AskedCall } from '../call-rules/call-rules.ts';
import { type CalledLimits, calledKey, countCalls } from '../called-limits.ts';
import type { Ruling } from './ruling.ts';

const gasRule = 'policy-gas' as const;

/**
 * The owner's cap on the sum of an operation's gas limits. `gas` is undefined for a decision from before the sum was
 * recorded.
 */
export function ruleOnGas({ maxGasPerOperation: max }: Policy, gas: bigint | undefined): Ruling {
  const seen: Ruling = { rule: gasRule, finding: [gasRule, gas, max] };
  if (gas === undefined || max === undefined || gas <= BigInt(max)) return seen;
  return {
    ...seen,
    refusal: {
      reason: 'LIMIT_EXCEEDED',
      limitKind: 'POLICY_CAP',
      message: `The operation's gas limits come to ${gas}; the policy of this paymaster sponsors at most ${max} for one operation.`,
      details: {
        limit: 'maxGasPerOperation',
        max: max.toString(),
        asked: gas.toString(),
        frees: 'Raise maxGasPerOperation of the policy, or send lower gas limits.',
      },
    },
  };
}

const methodGasRule = 'policy-method-gas' as const;

type CalledGas = {
  readonly policy: Policy;
  readonly calledLimits: CalledLimits;
  readonly calls: readonly AskedCall[];
  /** The operation's `callGasLimit`; undefined for a decision from before it was recorded. */
  readonly callGas: bigint | undefined;
};

/**
 * The owner's caps on the `callGasLimit` of operations that call a contract or method. Each binds all calls of the operation
 * together: how much gas a call uses is up to the code that it calls. How often it is called does not raise the cap, since data may only look like
 * a call.
 */
export function ruleOnMethodGas({ policy: { methodGas }, calledLimits, calls, callGas }: CalledGas): readonly Ruling[] {
  if (methodGas.length === 0) return [];
  const counts = countCalls(calledLimits, calls);
  return methodGas
    .filter((cap) => (counts.get(calledKey(cap) ?? '') ?? 0) > 0)
    .map(({ contract, method, maxCallGas }) => {
      const seen: Ruling = { rule: methodGasRule, finding: [methodGasRule, callGas, maxCallGas, contract, method] };
      if (callGas === undefined || callGas <= BigInt(maxCallGas)) return seen;
      const what = method === undefined ? contract : `${method} of ${contract}`;
      return {
        ...seen,
        refusal: {
          reason: 'LIMIT_EXCEEDED',
          limitKind: 'POLICY_CAP',
          message: `callGasLimit is ${callGas}; the policy of this paymaster sponsors at most ${maxCallGas} for an operation that calls ${what}.`,
          details: {
            limit: 'methodGas',
            max: maxCallGas.toString(),
            asked: callGas.toString(),
            frees: 'Raise maxCallGas in methodGas of the policy, or send a lower callGasLimit.',
          },
        },
      };
    });
}

const gasPriceRule = 'policy-gas-price' as const;

/** The owner's ceiling on `maxFeePerGas`, in wei per gas. */
export function ruleOnGasPrice({ maxFeePerGas: ceiling }: Policy, maxFeePerGas: bigint): Ruling {
  const seen: Ruling = { rule: gasPriceRule, finding: [gasPriceRule, maxFeePerGas, ceiling] };
  if (ceiling === undefined || maxFeePerGas <= ceiling) return seen;
  return {
    ...seen,
    refusal: {
      reason: 'GAS_PRICE_TOO_HIGH',
      message: `maxFeePerGas is ${maxFeePerGas} wei; the policy of this paymaster sponsors at most ${ceiling} wei.`,
      field: 'maxFeePerGas',
      details: { ceiling: ceiling.toString() },
    },
  };
}

/**
 * The ceiling of the policy for a relayed operation, which has no fees: the most that the executors may pay for its gas, and the tank with
 * them, in wei per gas.
 */
export function ruleOnRelayGasPrice({ maxFeePerGas: ceiling }: Policy, gasPrice: bigint): Ruling {
  const seen: Ruling = { rule: gasPriceRule, finding: ['policy-relay-gas-price', gasPrice, ceiling] };
  if (ceiling === undefined || gasPrice <= ceiling) return seen;
  return { ...seen, refusal: relayTooExpensive(gasPrice, ceiling, 'by the policy of this paymaster') };
}

/** Of a relayed operation whose gas may cost more than is allowed, in wei per gas. */
export function relayTooExpensive(gasPrice: bigint, ceiling: bigint, by: string): Refusal {
  return {
    reason: 'GAS_PRICE_TOO_HIGH',
    message: `The bundle may cost up to ${gasPrice} wei per gas at the chain's prices. At most ${ceiling} wei is sponsored ${by}.`,
    details: { ceiling: ceiling.toString() },
  };
}
