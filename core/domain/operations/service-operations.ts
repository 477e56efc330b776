import type { Metric } from '../../base/metrics/metric.ts';
import type { Result } from '../result/result.ts';
import type { ContractSigner } from '../signing/contract-signer.ts';
import type { PartStatus } from './part-status.ts';

/** The service itself: its keys, its metrics, whether it is ready. */
export type ServiceOperations = {
  /** The keys of each paymaster contract: where they are, whether it accepts them, which signs; the operator's alone. */
  readSigners(): Promise<Result<readonly ContractSigner[]>>;
  /** What the service counts and measures of itself; the operator's alone. Figures that cannot be had now are left out. */
  readFigures(): Promise<Result<readonly Metric[]>>;
  /** What is ready and what is not. Never refuses. */
  status(): Promise<readonly PartStatus[]>;
};
