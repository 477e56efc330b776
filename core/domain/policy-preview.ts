import * as api from '@tollfree/contract/policy';
import type { z } from 'zod';
import { fieldsOfApi } from '../base/fields-of-api.ts';
import { message } from '../base/message-schema.ts';
import { refusalReason } from './result/refusal.ts';

/** A decision with a different result under a proposed policy. */
const ChangedDecisionSchema = message(
  'ChangedDecision',
  fieldsOfApi(api.ChangedDecisionSchema, { reason: refusalReason }),
);
export type ChangedDecision = z.output<typeof ChangedDecisionSchema>;

/** How many decisions of a sender would be cut off. */
const CutOffSenderSchema = message('CutOffSender', fieldsOfApi(api.CutOffSenderSchema));

/** The gas of operations that call what a cap of the proposed policy names. */
const MethodGasUseSchema = message('MethodGasUse', fieldsOfApi(api.MethodGasUseSchema));
export type MethodGasUse = z.output<typeof MethodGasUseSchema>;

/** The last decisions, decided again with a proposed policy. */
export const PolicyPreviewSchema = message(
  'PolicyPreview',
  fieldsOfApi(api.PolicyPreviewSchema, {
    cutOff: ChangedDecisionSchema,
    letIn: ChangedDecisionSchema,
    senders: CutOffSenderSchema,
    methodGas: MethodGasUseSchema,
  }),
);
export type PolicyPreview = z.output<typeof PolicyPreviewSchema>;
