import * as api from '@tollfree/contract/user-operation';
import type { z } from 'zod';
import { fieldsOfApi } from '../base/fields-of-api.ts';
import { message } from '../base/message-schema.ts';
import { TokenPaymentSchema } from './decision.ts';

/**
 * A step in an operation's life. `at`: when the service recorded it, in Unix seconds; for a landing once it was confirmed.
 */
const OperationStepSchema = message('OperationStep', fieldsOfApi(api.OperationStepSchema));
export type OperationStep = z.output<typeof OperationStepSchema>;

/** A signed user operation, from the signature to its end. Amounts in wei. */
export const OperationLifeSchema = message(
  'OperationLife',
  fieldsOfApi(api.OperationLifeSchema, { steps: OperationStepSchema, tokenPayment: TokenPaymentSchema }),
);
export type OperationLife = z.output<typeof OperationLifeSchema>;
