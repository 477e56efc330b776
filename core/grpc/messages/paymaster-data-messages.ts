import {
  FinalPaymasterDataSchema,
  GetPaymasterDataRequestSchema,
  GetPaymasterStubDataRequestSchema,
  type PaymasterDataRequest as PaymasterDataRequestMessage,
  PaymasterDataRequestSchema,
  PaymasterStubSchema,
} from '../../../proto/gen/tollfree/core/v1/paymaster_data_pb.ts';
import { entryPointVersions } from '../../domain/entry-point-version.ts';
import type { FinalPaymasterData, PaymasterDataRequest, PaymasterStub } from '../../domain/paymaster-data.ts';
import type { Input } from '../operation-types.ts';
import { converter } from './converter.ts';
import { omitAbsent } from './omit-absent.ts';
import { readAddress, readBigint, readHex, readOneOf, writeBigint } from './scalars.ts';
import {
  readSponsorshipRequest,
  signedPaymasterDataConverter,
  sponsorshipRequestConverter,
} from './sponsorship-messages.ts';

const requestConverter = converter(
  PaymasterDataRequestSchema,
  ({ entryPoint, ...request }: PaymasterDataRequest) => ({
    request: sponsorshipRequestConverter.toMessage(request),
    entryPoint,
  }),
  ({ request, entryPoint }): PaymasterDataRequest => ({ ...readSponsorshipRequest(request), entryPoint }),
);

/** A request message without its one field is an empty request: refused by the core, not a broken call. */
function readRequest(message: PaymasterDataRequestMessage | undefined): PaymasterDataRequest {
  return message === undefined
    ? { ...readSponsorshipRequest(undefined), entryPoint: '' }
    : requestConverter.toDomain(message);
}

export const getPaymasterStubDataInput = converter(
  GetPaymasterStubDataRequestSchema,
  (request: Input<'getPaymasterStubData'>) => ({ request: requestConverter.toMessage(request) }),
  ({ request }): Input<'getPaymasterStubData'> => readRequest(request),
);

export const getPaymasterDataInput = converter(
  GetPaymasterDataRequestSchema,
  (request: Input<'getPaymasterData'>) => ({ request: requestConverter.toMessage(request) }),
  ({ request }): Input<'getPaymasterData'> => readRequest(request),
);

export const paymasterStubConverter = converter(
  PaymasterStubSchema,
  ({ kind: _, ...stub }: PaymasterStub) => ({
    ...stub,
    paymasterVerificationGasLimit: writeBigint(stub.paymasterVerificationGasLimit),
    paymasterPostOpGasLimit: writeBigint(stub.paymasterPostOpGasLimit),
  }),
  (message): PaymasterStub =>
    omitAbsent({
      kind: 'stub' as const,
      mode: readOneOf(['SPONSORED', 'ERC20'], message.mode),
      sponsorName: message.sponsorName,
      entryPointVersion: readOneOf(entryPointVersions, message.entryPointVersion),
      paymaster: readAddress(message.paymaster),
      paymasterAndData: readHex(message.paymasterAndData),
      paymasterData: readHex(message.paymasterData),
      paymasterVerificationGasLimit: readBigint(message.paymasterVerificationGasLimit),
      paymasterPostOpGasLimit: readBigint(message.paymasterPostOpGasLimit),
      decisionId: message.decisionId,
    }),
);

export const finalPaymasterDataConverter = converter(
  FinalPaymasterDataSchema,
  ({ signed, gasEstimated }: FinalPaymasterData) => ({
    signed: signedPaymasterDataConverter.toMessage(signed),
    gasEstimated,
  }),
  ({ signed, gasEstimated }): FinalPaymasterData => {
    if (signed === undefined) throw new TypeError('final paymaster data came without the data');
    return { signed: signedPaymasterDataConverter.toDomain(signed), gasEstimated };
  },
);
