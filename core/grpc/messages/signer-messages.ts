import {
  ContractSignerListSchema,
  ContractSignerSchema,
  KeyPlaceSchema,
} from '../../../proto/gen/tollfree/core/v1/signers_pb.ts';
import {
  type ContractSigner,
  contractSignerStates,
  type KeyLocation,
  keyKinds,
} from '../../domain/signing/contract-signer.ts';
import { address } from '../codec/address.ts';
import { chainId } from '../codec/chain-id.ts';
import { listOf } from '../codec/list.ts';
import { messageOf } from '../codec/message-of.ts';
import { oneOf } from '../codec/one-of.ts';
import { seconds } from '../codec/seconds.ts';
import { soleField } from '../codec/sole-field.ts';

const keyPlace = messageOf<KeyLocation>()(KeyPlaceSchema, { kind: oneOf(keyKinds), awaySince: seconds });
const contractSigner = messageOf<ContractSigner>()(ContractSignerSchema, {
  chainId,
  contract: address,
  signer: address,
  state: oneOf(contractSignerStates),
  places: listOf(keyPlace),
  since: seconds,
  until: seconds,
  openUntil: seconds,
});
export const contractSigners = soleField(ContractSignerListSchema, listOf(contractSigner));
