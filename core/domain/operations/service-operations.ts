import { listMessage } from '../../base/message-schema.ts';
import { MetricSchema } from '../../base/metrics/metric-registry.ts';
import { ContractSignerSchema } from '../signer-config.ts';
import type { CoreMethods } from './core-methods.ts';
import type { PartStatus } from './part-status.ts';

/** The service itself: its keys, its metrics, whether it is ready. */
export const serviceOperations = {
  /** The keys of each paymaster contract: where they are, whether it accepts them, which signs; operator only. */
  readSigners: { value: listMessage('ContractSignerList', 'signers', ContractSignerSchema) },
  /** The service's own metrics; operator only. Metrics that are unavailable now are left out. */
  readFigures: { value: listMessage('FigureList', 'figures', MetricSchema) },
} as const satisfies CoreMethods;

/** The only operation that answers without a result. */
export type StatusOperation = {
  /** Which parts are ready. Never refuses. */
  status(): Promise<readonly PartStatus[]>;
};
