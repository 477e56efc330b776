import {
  PolicyLimitSchema,
  type Policy as PolicyMessage,
  PolicyPauseSchema,
  PolicySchema,
  PreviewPolicyRequestSchema,
  ReadPolicyRequestSchema,
  SetPolicyRequestSchema,
} from '../../../proto/gen/tollfree/core/v1/policy_pb.ts';
import type { Policy, PolicyLimit, PolicyPause, Weekday } from '../../domain/policy.ts';
import type { Input } from '../operation-types.ts';
import { converter } from './converter.ts';
import { omitAbsent } from './omit-absent.ts';
import { readBigint, readHex, readOneOf, readOptionalSeconds, writeBigint, writeOptionalSeconds } from './scalars.ts';

const weekdays: readonly Weekday[] = [1, 2, 3, 4, 5, 6, 7];

function readWeekday(value: number): Weekday {
  const found = weekdays.find((day) => day === value);
  if (found === undefined) throw new TypeError('the wire holds something else where a day of the week belongs');
  return found;
}

function writeOptionalBigint(value: bigint | undefined): string | undefined {
  return value === undefined ? undefined : writeBigint(value);
}

function readOptionalBigint(text: string | undefined): bigint | undefined {
  return text === undefined ? undefined : readBigint(text);
}

const pauseConverter = converter(
  PolicyPauseSchema,
  ({ days, from, until }: PolicyPause) => ({ days: [...days], from, until }),
  ({ days, from, until }): PolicyPause => ({ days: days.map(readWeekday), from, until }),
);

const limitConverter = converter(
  PolicyLimitSchema,
  (limit: PolicyLimit) => ({ ...limit, max: writeBigint(limit.max) }),
  ({ per, window, unit, max }): PolicyLimit => ({
    per: readOneOf(['sender', 'total'], per),
    window: readOneOf(['hour', 'day', 'week', 'month', 'ever'], window),
    unit: readOneOf(['operations', 'wei', 'usdMicros'], unit),
    max: readBigint(max),
  }),
);

/** Senders travel as they were written: whether their checksums are right is for the core to say. */
export const policyConverter = converter(
  PolicySchema,
  (policy: Policy) =>
    omitAbsent({
      ...policy,
      maxCostWei: writeOptionalBigint(policy.maxCostWei),
      maxCostUsdMicros: writeOptionalBigint(policy.maxCostUsdMicros),
      maxFeePerGas: writeOptionalBigint(policy.maxFeePerGas),
      allowedSenders: policy.allowedSenders === undefined ? undefined : { values: [...policy.allowedSenders] },
      blockedSenders: [...policy.blockedSenders],
      notBefore: writeOptionalSeconds(policy.notBefore),
      notAfter: writeOptionalSeconds(policy.notAfter),
      pauses: policy.pauses.map(pauseConverter.toMessage),
      limits: policy.limits.map(limitConverter.toMessage),
    }),
  (message): Policy =>
    omitAbsent({
      sponsorAllCalls: message.sponsorAllCalls,
      allowAccountDeployment: message.allowAccountDeployment,
      allowRevertingOperations: message.allowRevertingOperations,
      maxCostWei: readOptionalBigint(message.maxCostWei),
      maxCostUsdMicros: readOptionalBigint(message.maxCostUsdMicros),
      maxFeePerGas: readOptionalBigint(message.maxFeePerGas),
      allowedSenders: message.allowedSenders?.values.map(readHex),
      blockedSenders: message.blockedSenders.map(readHex),
      notBefore: readOptionalSeconds(message.notBefore),
      notAfter: readOptionalSeconds(message.notAfter),
      pauses: message.pauses.map(pauseConverter.toDomain),
      limits: message.limits.map(limitConverter.toDomain),
    }),
);

function readPolicy(message: PolicyMessage | undefined): Policy {
  if (message === undefined) throw new TypeError('the wire holds nothing where a policy belongs');
  return policyConverter.toDomain(message);
}

export const readPolicyInput = converter(
  ReadPolicyRequestSchema,
  (input: Input<'readPolicy'>) => input,
  ({ accountId, paymasterId }): Input<'readPolicy'> => ({ accountId, paymasterId }),
);

export const setPolicyInput = converter(
  SetPolicyRequestSchema,
  ({ policy, ...owned }: Input<'setPolicy'>) => ({ ...owned, policy: policyConverter.toMessage(policy) }),
  ({ accountId, paymasterId, policy }): Input<'setPolicy'> => ({ accountId, paymasterId, policy: readPolicy(policy) }),
);

export const previewPolicyInput = converter(
  PreviewPolicyRequestSchema,
  ({ policy, ...input }: Input<'previewPolicy'>) => ({ ...input, policy: policyConverter.toMessage(policy) }),
  ({ accountId, paymasterId, policy, last }): Input<'previewPolicy'> =>
    omitAbsent({ accountId, paymasterId, policy: readPolicy(policy), last }),
);
