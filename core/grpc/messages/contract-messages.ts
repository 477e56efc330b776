import {
  FetchedAbiSchema,
  SmartContractListSchema,
  SmartContractSchema,
} from '../../../proto/gen/tollfree/core/v1/smart_contract_pb.ts';
import type { FetchedAbi, SmartContract, SmartContractPage } from '../../domain/smart-contract.ts';
import { address } from '../codec/address.ts';
import { filledTexts, listOf } from '../codec/list.ts';
import { messageOf } from '../codec/message-of.ts';

export const contract = messageOf<SmartContract>()(SmartContractSchema, {
  address,
  brokenRules: filledTexts,
});
export const fetchedAbi = messageOf<FetchedAbi>()(FetchedAbiSchema, { address, implementation: address });
export const contracts = messageOf<SmartContractPage>()(SmartContractListSchema, { contracts: listOf(contract) });
