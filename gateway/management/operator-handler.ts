import { managementErrors } from '@tollfree/contract/errors';
import { managementOperations } from '@tollfree/contract/operations';
import type { OperatorStatus } from '@tollfree/contract/operator';
import { errorResponse } from './answer.ts';
import { callerOf } from './caller.ts';
import { successOf } from './handle-operation.ts';
import type { Handlers } from './special-handlers.ts';

const { read } = managementOperations.operator;

/** The state of the service, for its operator. To everyone else the path does not exist. */
export function operatorHandler(readStatus: () => Promise<OperatorStatus>): Handlers {
  return {
    [read.name]: async ({ request }) =>
      callerOf(request).operator === true
        ? successOf(read, await readStatus())
        : errorResponse(managementErrors.pathNotFound),
  };
}
