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
import type { CoreMethods, OperationsOf } from './core-methods.ts';

/** What clients ask of the chain's bundler over JSON-RPC (ERC-7769), where the operator exposes it. */
export const bundlerOperations = {
  /** `eth_sendUserOperation`. */
  sendUserOperation: {
    input: request({
      ...bundledOperation,
    }),
    value: SentUserOperationSchema,
  },
  /** `eth_estimateUserOperationGas`. `stateOverrideJson` is the third parameter as JSON text, 64 KiB at most. */
  estimateUserOperationGas: {
    input: request({
      ...bundledOperation,

      /** State to estimate with, by address, as JSON text. 64 KiB at most. */
      stateOverrideJson: text.exactOptional(),
    }),
    value: BundlerGasEstimateSchema,
  },
  /**
   * `eth_getUserOperationByHash` and `eth_getUserOperationReceipt`: what the bundler answers, as JSON text. `null` where it
   * does not know the operation.
   */
  lookUpUserOperation: {
    input: request({
      ...bundlerRequest,
      view: z.enum(operationViews),
      userOperationHash: text,
    }),
    value: FoundUserOperationSchema,
  },
  /** `pimlico_getUserOperationStatus`, from the receipt where the bundler does not have that method. */
  readUserOperationStatus: {
    input: request({
      ...bundlerRequest,
      userOperationHash: text,
    }),
    value: BundledStatusSchema,
  },
  /**
   * What to offer for gas: the bundler's prices, or those of the chain where it names none. Never more than the paymaster
   * signs, nor less than the chain asks for.
   */
  quoteGasPrices: {
    input: request({
      ...bundlerRequest,
    }),
    value: GasPricesSchema,
  },
  /** `eth_supportedEntryPoints`: those of the chain that operations can be sent to here, the paymaster's own first. */
  listBundlerEntryPoints: {
    input: request({
      ...bundlerRequest,
    }),
    value: listMessage('StringList', 'values', address),
  },
} as const satisfies CoreMethods;
export type BundlerOperations = OperationsOf<typeof bundlerOperations>;
