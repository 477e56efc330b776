import {
  ReadUsageRequestSchema,
  UsageRowListSchema,
  UsageRowSchema,
} from '../../../proto/gen/tollfree/core/v1/usage_pb.ts';
import type { UsageRow } from '../../domain/usage.ts';
import type { Input } from '../operation-types.ts';
import { converter } from './converter.ts';
import { omitAbsent } from './omit-absent.ts';
import { readBigint, readOneOf, writeBigint } from './scalars.ts';

const dimensions = ['day', 'sender', 'contract', 'method', 'token', 'outcome'] as const;

const usageRowConverter = converter(
  UsageRowSchema,
  ({ key, decisions: { signed, quoted, stub, refused }, landed, charge, held }: UsageRow) => ({
    key,
    signed: BigInt(signed),
    quoted: BigInt(quoted),
    stub: BigInt(stub),
    refused: BigInt(refused),
    landed: BigInt(landed),
    charge: writeBigint(charge),
    held: writeBigint(held),
  }),
  ({ key, signed, quoted, stub, refused, landed, charge, held }): UsageRow => ({
    key,
    decisions: { signed: Number(signed), quoted: Number(quoted), stub: Number(stub), refused: Number(refused) },
    landed: Number(landed),
    charge: readBigint(charge),
    held: readBigint(held),
  }),
);

export const usageRowListConverter = converter(
  UsageRowListSchema,
  (rows: readonly UsageRow[]) => ({ rows: rows.map(usageRowConverter.toMessage) }),
  (message): readonly UsageRow[] => message.rows.map(usageRowConverter.toDomain),
);

export const readUsageInput = converter(
  ReadUsageRequestSchema,
  (input: Input<'readUsage'>) => input,
  ({ accountId, paymasterId, by, from, until }): Input<'readUsage'> =>
    omitAbsent({ accountId, paymasterId, by: readOneOf(dimensions, by), from, until }),
);
