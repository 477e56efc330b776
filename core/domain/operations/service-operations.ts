import { PartSchema } from '@tollfree/contract/operator';
import type { z } from 'zod';
import { fieldsOfApi } from '../../base/fields-of-api.ts';
import { listMessage, message } from '../../base/message-schema.ts';
import { MetricSchema } from '../../base/metrics/metric-registry.ts';
import { ContractSignerSchema } from '../signer-config.ts';
import type { CoreMethods } from './core-methods.ts';

/**
 * One part of the service, for `/readyz` and gRPC health. The rest works without an `optional` one: one chain of several,
 * one paymaster contract.
 */
const PartStatusSchema = message('PartStatus', fieldsOfApi(PartSchema));
export type PartStatus = z.output<typeof PartStatusSchema>;

export const partStatuses = listMessage('StatusResponse', 'parts', PartStatusSchema);

/** The service itself: its keys, its metrics, whether it is ready. */
export const serviceOperations = {
  /** The keys of each paymaster contract: where they are, whether it accepts them, which signs; operator only. */
  readSigners: { value: listMessage('ContractSignerList', 'signers', ContractSignerSchema) },
  /** The service's own metrics; operator only. Metrics that are unavailable now are left out. */
  readMetrics: { value: listMessage('MetricList', 'metrics', MetricSchema) },
} as const satisfies CoreMethods;

/** The only operation that answers without a result. */
export type StatusOperation = {
  /** Which parts are ready. Never refuses. */
  status(): Promise<readonly PartStatus[]>;
};
