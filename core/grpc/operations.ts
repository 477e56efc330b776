import { type Operation, operation } from './operation.ts';
import { operationRows } from './operation-rows.ts';
import type { Input, OperationName, Value } from './operation-types.ts';

/** Every operation of the core on the wire. */
export type Operations = { readonly [Name in OperationName]: Operation<Input<Name>, Value<Name>> };

function operationNamed<Name extends OperationName>(name: Name): Operation<Input<Name>, Value<Name>> {
  return operation(name, operationRows[name]);
}

/** The names of all operations. */
export const operationNames = Object.keys(operationRows) as readonly OperationName[]; // the table has no other keys

// Every name with the operation of that name, which the type says and `fromEntries` does not.
export const operations = Object.fromEntries(
  operationNames.map((name) => [name, operationNamed(name)]),
) as unknown as Operations;
