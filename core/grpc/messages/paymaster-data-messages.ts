import {
  FinalPaymasterDataSchema,
  GetPaymasterDataRequestSchema,
  GetPaymasterStubDataRequestSchema,
  PaymasterDataRequestSchema,
  PaymasterStubSchema,
  PrepareRelayRequestSchema,
  RelayedUserOperationSchema,
  RelayTermsSchema,
  RelayUserOperationRequestSchema,
} from '../../../proto/gen/tollfree/core/v1/paymaster_data_pb.ts';
import { entryPointVersions } from '../../domain/entry-point-version.ts';
import type { FinalPaymasterData, PaymasterDataRequest, PaymasterStub } from '../../domain/paymaster-data.ts';
import type { RelayedUserOperation, RelayTerms } from '../../domain/relay-config.ts';
import { type SponsorshipRequest, sponsorshipModes } from '../../domain/sponsorship.ts';
import { adapted } from '../codec/adapted.ts';
import { address } from '../codec/address.ts';
import { decimal } from '../codec/decimal.ts';
import { hex } from '../codec/hex.ts';
import { messageOf } from '../codec/message-of.ts';
import { oneOf } from '../codec/one-of.ts';
import { absentAs, required } from '../codec/presence.ts';
import { soleField } from '../codec/sole-field.ts';
import { tagged } from '../codec/tagged.ts';
import { emptyRequest, signedPaymasterData, sponsorshipRequest } from './sponsorship-messages.ts';

type Nested = { readonly request: SponsorshipRequest; readonly entryPoint: string };
const nested = messageOf<Nested>()(PaymasterDataRequestSchema, { request: absentAs(emptyRequest, sponsorshipRequest) });

/** What ERC-7677 adds to a request stands next to the request on the wire. */
const paymasterDataRequest = adapted(
  nested,
  ({ entryPoint, ...request }: PaymasterDataRequest) => ({ request, entryPoint }),
  ({ request, entryPoint }): PaymasterDataRequest => ({ ...request, entryPoint }),
);
const orEmpty = absentAs({ ...emptyRequest, entryPoint: '' }, paymasterDataRequest);

export const stubDataRequest = soleField(GetPaymasterStubDataRequestSchema, orEmpty);
export const finalDataRequest = soleField(GetPaymasterDataRequestSchema, orEmpty);
export const prepareRelayRequest = soleField(PrepareRelayRequestSchema, orEmpty);
export const relayRequest = soleField(RelayUserOperationRequestSchema, orEmpty);

export const paymasterStub = tagged(
  'stub',
  messageOf<Omit<PaymasterStub, 'kind'>>()(PaymasterStubSchema, {
    mode: oneOf(sponsorshipModes),
    entryPointVersion: oneOf(entryPointVersions),
    paymaster: address,
    paymasterAndData: hex,
    paymasterData: hex,
    paymasterSignature: hex,
    paymasterVerificationGasLimit: decimal,
    paymasterPostOpGasLimit: decimal,
  }),
);

export const finalPaymasterData = messageOf<FinalPaymasterData>()(FinalPaymasterDataSchema, {
  signed: required(signedPaymasterData),
});

export const relayedUserOperation = messageOf<RelayedUserOperation>()(RelayedUserOperationSchema, {
  userOperationHash: hex,
});

export const relayTerms = messageOf<RelayTerms>()(RelayTermsSchema, {
  callGasLimit: decimal,
  verificationGasLimit: decimal,
  preVerificationGas: decimal,
});
