import * as api from '@tollfree/contract/policy';
import type { z } from 'zod';
import { fieldsOfApi } from '../base/fields-of-api.ts';
import { message } from '../base/message-schema.ts';
import { FirstCallSchema } from './decision.ts';
import { refusalReason } from './result/refusal.ts';

/** A decision with a different result under a proposed policy. */
const ChangedDecisionSchema = message(
  'ChangedDecision',
  fieldsOfApi(api.ChangedDecisionSchema, { reason: refusalReason, firstCall: FirstCallSchema }),
);
export type ChangedDecision = z.output<typeof ChangedDecisionSchema>;

/** How many decisions of a sender would be cut off. */
const CutOffSenderSchema = message('CutOffSender', fieldsOfApi(api.CutOffSenderSchema));

/** A higher value of a field, and how many decisions its rule would still refuse with it. */
const RaisedValueSchema = message('RaisedValue', fieldsOfApi(api.RaisedValueSchema));
export type RaisedValue = z.output<typeof RaisedValueSchema>;

/** How many decisions a rule, or one amount of it, would refuse, and which higher values refuse fewer. */
const RefusingRuleSchema = message('RefusingRule', fieldsOfApi(api.RefusingRuleSchema, { raised: RaisedValueSchema }));
export type RefusingRule = z.output<typeof RefusingRuleSchema>;

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
    rules: RefusingRuleSchema,
  }),
);
export type PolicyPreview = z.output<typeof PolicyPreviewSchema>;
