import {
  DeleteContractRequestSchema,
  ListContractsRequestSchema,
  RegisterContractRequestSchema,
  SmartContractListSchema,
  SmartContractSchema,
  UpdateContractRequestSchema,
} from '../../../proto/gen/tollfree/core/v1/smart_contract_pb.ts';
import type { SmartContract } from '../../domain/smart-contract.ts';
import type { Input, Value } from '../operation-types.ts';
import { converter } from './converter.ts';
import { omitAbsent } from './omit-absent.ts';
import { readAddress } from './scalars.ts';

export const contractConverter = converter(
  SmartContractSchema,
  (contract: SmartContract) => ({
    ...contract,
    whitelistedMethods: [...contract.whitelistedMethods],
    methods: [...contract.methods],
  }),
  ({ name, address, abi, whitelistedMethods, methods }): SmartContract => ({
    name,
    address: readAddress(address),
    abi,
    whitelistedMethods,
    methods,
  }),
);

export const contractListConverter = converter(
  SmartContractListSchema,
  (contracts: Value<'listContracts'>) => ({ contracts: contracts.map(contractConverter.toMessage) }),
  (message): Value<'listContracts'> => message.contracts.map(contractConverter.toDomain),
);

export const registerContractInput = converter(
  RegisterContractRequestSchema,
  ({ whitelistedMethods, ...fields }: Input<'registerContract'>) =>
    whitelistedMethods === undefined ? fields : { ...fields, whitelistedMethods: { values: [...whitelistedMethods] } },
  ({ accountId, paymasterId, name, address, abi, whitelistedMethods }): Input<'registerContract'> =>
    omitAbsent({ accountId, paymasterId, name, address, abi, whitelistedMethods: whitelistedMethods?.values }),
);

export const listContractsInput = converter(
  ListContractsRequestSchema,
  (input: Input<'listContracts'>) => input,
  ({ accountId, paymasterId }): Input<'listContracts'> => ({ accountId, paymasterId }),
);

export const updateContractInput = converter(
  UpdateContractRequestSchema,
  (input: Input<'updateContract'>) => ({ ...input, whitelistedMethods: [...input.whitelistedMethods] }),
  ({ accountId, paymasterId, address, whitelistedMethods }): Input<'updateContract'> => ({
    accountId,
    paymasterId,
    address,
    whitelistedMethods,
  }),
);

export const deleteContractInput = converter(
  DeleteContractRequestSchema,
  (input: Input<'deleteContract'>) => input,
  ({ accountId, paymasterId, address }): Input<'deleteContract'> => ({ accountId, paymasterId, address }),
);
