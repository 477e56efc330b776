import {
  CreateFundingMessageRequestSchema,
  CreatePaymasterRequestSchema,
  FundingMessageSchema,
  ListPaymastersRequestSchema,
  PaymasterListSchema,
  PaymasterSchema,
  SetFundingWalletRequestSchema,
} from '../../../proto/gen/tollfree/core/v1/paymaster_pb.ts';
import type { Paymaster } from '../../domain/paymaster.ts';
import type { Input, Value } from '../operation-types.ts';
import { converter } from './converter.ts';
import { omitAbsent } from './omit-absent.ts';
import { readAddress, readChainId, writeChainId } from './scalars.ts';

export const paymasterConverter = converter(
  PaymasterSchema,
  (paymaster: Paymaster) => ({ ...paymaster, chainId: writeChainId(paymaster.chainId) }),
  (message): Paymaster =>
    omitAbsent({
      paymasterId: message.paymasterId,
      accountId: message.accountId,
      name: message.name,
      chainId: readChainId(message.chainId),
      version: message.version,
      apiKey: message.apiKey,
      fundingWallet: message.fundingWallet === undefined ? undefined : readAddress(message.fundingWallet),
    }),
);

export const paymasterListConverter = converter(
  PaymasterListSchema,
  (paymasters: Value<'listPaymasters'>) => ({ paymasters: paymasters.map(paymasterConverter.toMessage) }),
  (message): Value<'listPaymasters'> => message.paymasters.map(paymasterConverter.toDomain),
);

export const fundingMessageConverter = converter(
  FundingMessageSchema,
  (value: Value<'createFundingMessage'>) => value,
  ({ fundingMessage }): Value<'createFundingMessage'> => ({ fundingMessage }),
);

export const createPaymasterInput = converter(
  CreatePaymasterRequestSchema,
  (input: Input<'createPaymaster'>) => ({ ...input, chainId: writeChainId(input.chainId) }),
  ({ accountId, name, type, chainId, version }): Input<'createPaymaster'> => ({
    accountId,
    name,
    type,
    chainId: readChainId(chainId),
    version,
  }),
);

export const listPaymastersInput = converter(
  ListPaymastersRequestSchema,
  (input: Input<'listPaymasters'>) => input,
  ({ accountId }): Input<'listPaymasters'> => ({ accountId }),
);

export const createFundingMessageInput = converter(
  CreateFundingMessageRequestSchema,
  (input: Input<'createFundingMessage'>) => input,
  ({ accountId, paymasterId }): Input<'createFundingMessage'> => ({ accountId, paymasterId }),
);

export const setFundingWalletInput = converter(
  SetFundingWalletRequestSchema,
  (input: Input<'setFundingWallet'>) => input,
  ({ accountId, paymasterId, signature, address }): Input<'setFundingWallet'> => ({
    accountId,
    paymasterId,
    signature,
    address,
  }),
);
