import type { Address } from 'viem';
import type {
  BundledOperationRequest,
  BundledStatus,
  BundlerGasEstimate,
  BundlerRequest,
  GasPrices,
  OperationView,
  SentUserOperation,
} from '../bundling.ts';
import type { Result } from '../result/result.ts';

/** What clients ask of the chain's bundler over JSON-RPC (ERC-7769), where the operator exposes it. */
export type BundlerOperations = {
  /** `eth_sendUserOperation`. */
  sendUserOperation(request: BundledOperationRequest): Promise<Result<SentUserOperation>>;
  /** `eth_estimateUserOperationGas`. `stateOverrideJson` is the third parameter as JSON text, 64 KiB at most. */
  estimateUserOperationGas(
    request: BundledOperationRequest & { stateOverrideJson?: string },
  ): Promise<Result<BundlerGasEstimate>>;
  /**
   * `eth_getUserOperationByHash` and `eth_getUserOperationReceipt`: what the bundler answers, as JSON text. `null` where it
   * does not know the operation.
   */
  lookUpUserOperation(
    request: BundlerRequest & { view: OperationView; userOperationHash: string },
  ): Promise<Result<{ json: string }>>;
  /** `pimlico_getUserOperationStatus`, from the receipt where the bundler does not have that method. */
  readUserOperationStatus(request: BundlerRequest & { userOperationHash: string }): Promise<Result<BundledStatus>>;
  /**
   * What to offer for gas: the bundler's prices, or those of the chain where it names none. Never more than the paymaster
   * signs, nor less than the chain asks for.
   */
  quoteGasPrices(request: BundlerRequest): Promise<Result<GasPrices>>;
  /** `eth_supportedEntryPoints`: those of the chain that operations can be sent to here, the paymaster's own first. */
  listBundlerEntryPoints(request: BundlerRequest): Promise<Result<readonly Address[]>>;
};
