import { z } from 'zod';
import { address, listMessage, request, text } from '../../base/message-schema.ts';
import {
  BundledStatusSchema,
  BundlerGasEstimateSchema,
  bundledOperation,
  bundlerRequest,
  FoundUserOperationSchema,
  GasPricesSchema,
  operationViews,
  SentUserOperationSchema,
} from '../bundling.ts';
import type { CoreMethods } from './core-methods.ts';

/** Requests of clients to the chain's bundler over JSON-RPC (ERC-7769), if the operator exposes it. */
export const bundlerOperations = {
  /** `eth_sendUserOperation`. */
  sendUserOperation: {
    input: request({
      ...bundledOperation,
    }),
    value: SentUserOperationSchema,
  },
  /** `eth_estimateUserOperationGas`. `stateOverrideJson` is the third parameter as JSON text, at most 64 KiB. */
  estimateUserOperationGas: {
    input: request({
      ...bundledOperation,

      /** State overrides for the estimate, by address, as JSON text. At most 64 KiB. */
      stateOverrideJson: text.exactOptional(),
    }),
    value: BundlerGasEstimateSchema,
  },
  /**
   * `eth_getUserOperationByHash` and `eth_getUserOperationReceipt`: the bundler's answer as JSON text. `null` if it does not
   * know the operation.
   */
  lookUpUserOperation: {
    input: request({
      ...bundlerRequest,
      view: z.enum(operationViews),
      userOperationHash: text,
    }),
    value: FoundUserOperationSchema,
  },
  /** `pimlico_getUserOperationStatus`, derived from the receipt if the bundler does not have that method. */
  readUserOperationStatus: {
    input: request({
      ...bundlerRequest,
      userOperationHash: text,
    }),
    value: BundledStatusSchema,
  },
  /**
   * Gas prices to use: the bundler's, or the chain's if the bundler has none. Never above what the paymaster signs, nor
   * below what the chain requires.
   */
  quoteGasPrices: {
    input: request({
      ...bundlerRequest,
    }),
    value: GasPricesSchema,
  },
  /** `eth_supportedEntryPoints`: the chain's EntryPoints to which operations can be sent here, the paymaster's own first. */
  listBundlerEntryPoints: {
    input: request({
      ...bundlerRequest,
    }),
    value: listMessage('StringList', 'values', address),
  },
} as const satisfies CoreMethods;
