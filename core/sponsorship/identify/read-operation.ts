import type { Asked } from '../run/asked.ts';
import { noted, type Step } from '../run/steps.ts';
import { findEip7702Delegate } from './find-eip7702-delegate.ts';
import type { Identified } from './identify.ts';
import { type ReadOperation, readUserOperation } from './read-user-operation.ts';

/** Reads the operation in the form of the paymaster's EntryPoint. */
export const readOperation: Step<Asked & Identified, ReadOperation> = noted(
  {
    rule: 'operation',
    finding: ({ contract }) => ['operation', contract.family.entryPointVersion],
  },
  async ({ parts, request, chain, contract, draft }: Asked & Identified) => {
    const { entryPointVersion } = contract.family;
    const read = readUserOperation(request.userOperation, entryPointVersion, chain.config.eip7702Marker);
    const found = read.ok ? await findEip7702Delegate(parts, chain, read.value) : read;
    if (found.ok) draft.operation = found.value.operation;
    return found;
  },
);
