import { coreOperations } from '@tollfree/contract/core-operations';
import { coreMethods, type Input } from '../domain/core.ts';
import { type Operation, type OperationName, operation, type Value } from './operation.ts';

/** Every operation of the core on the wire. */
type Operations = { readonly [Name in OperationName]: Operation<Input<Name>, Value<Name>> };

/** The names of all operations: the contract describes exactly the core's operations. */
export const operationNames: readonly OperationName[] = Object.keys(coreOperations) as (keyof typeof coreOperations)[];

// The operations by name, which the type of `fromEntries` cannot express.
export const operations = Object.fromEntries(
  operationNames.map((name) => [name, operation(name)]),
) as unknown as Operations;

/**
 * Whether an operation is one of the RPC endpoint: many of them are under way at once, their answers are short, and nothing of them
 * is recorded under the name of an actor.
 */
export function isFrequent(name: OperationName): boolean {
  return name in coreMethods.sponsorship;
}
