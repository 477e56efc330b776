import { StatusResponseSchema } from '../../../proto/gen/tollfree/core/v1/status_pb.ts';
import type { PartStatus } from '../../domain/core.ts';
import { converter } from './converter.ts';

export const statusConverter = converter(
  StatusResponseSchema,
  (parts: readonly PartStatus[]) => ({ parts: parts.map((part) => ({ ...part })) }),
  (message): readonly PartStatus[] =>
    message.parts.map(({ part, ready, detail, optional }) => ({
      part,
      ready,
      detail,
      ...(optional ? { optional } : {}),
    })),
);
