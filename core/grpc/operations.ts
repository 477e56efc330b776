import { coreOperations } from '@tollfree/contract/core-operations';
import { type Operation, operation } from './operation.ts';
import type { Input, OperationName, Value } from './operation-types.ts';

/** Every operation of the core on the wire. */
export type Operations = { readonly [Name in OperationName]: Operation<Input<Name>, Value<Name>> };

/** The names of all operations: those that the contract describes. An operation of the core without a description is an error. */
export const operationNames: readonly OperationName[] = Object.keys(coreOperations) as DescribedOnly[];

/** Never, unless the descriptions and the core name different operations. */
type DescribedOnly =
  Exclude<keyof typeof coreOperations, OperationName> extends never
    ? Exclude<OperationName, keyof typeof coreOperations> extends never
      ? OperationName
      : never
    : never;

// Every name with the operation of that name, which the type says and `fromEntries` does not.
export const operations = Object.fromEntries(
  operationNames.map((name) => [name, operation(name)]),
) as unknown as Operations;
