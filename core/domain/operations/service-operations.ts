import { listMessage } from '../../base/message-schema.ts';
import { MetricSchema } from '../../base/metrics/metric.ts';
import { ContractSignerSchema } from '../signing/contract-signer.ts';
import type { CoreMethods, OperationsOf } from './core-methods.ts';
import type { PartStatus } from './part-status.ts';

/** The service itself: its keys, its metrics, whether it is ready. */
export const serviceOperations = {
  /** The keys of each paymaster contract: where they are, whether it accepts them, which signs; the operator's alone. */
  readSigners: { value: listMessage('ContractSignerList', 'signers', ContractSignerSchema) },
  /** What the service counts and measures of itself; the operator's alone. Figures that cannot be had now are left out. */
  readFigures: { value: listMessage('FigureList', 'figures', MetricSchema) },
} as const satisfies CoreMethods;
export type ServiceOperations = OperationsOf<typeof serviceOperations> & {
  /** What is ready and what is not. Never refuses. */
  status(): Promise<readonly PartStatus[]>;
};
