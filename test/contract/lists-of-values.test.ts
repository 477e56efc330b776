import { expect, test } from 'vitest';
import {
  DecisionOutcomeSchema,
  DecisionSchema,
  FixSchema,
  SettlementSchema,
  TraceStepSchema,
} from '../../contract/decision-fields.ts';
import { GasTankEntrySchema } from '../../contract/gas-tank.ts';
import { NotificationDeliverySchema, NotificationSchema } from '../../contract/notification.ts';
import {
  limitUnits as contractUnits,
  limitWindows as contractWindows,
  limitPers,
  policyDays,
} from '../../contract/policy-fields.ts';
import { usageDimensions as contractDimensions } from '../../contract/usage.ts';
import { WebhookAnswerSchema, WebhookSchema } from '../../contract/webhook.ts';
import { decisionOutcomes, fixActions, settlementStates, traceVerdicts } from '../../core/domain/decision.ts';
import { gasTankEntryKinds } from '../../core/domain/gas-tank.ts';
import { deliveryStates, notificationEvents, notificationTypes } from '../../core/domain/notification.ts';
import { limitScopes, limitUnits, limitWindows, weekdays } from '../../core/domain/policy.ts';
import { sponsorshipModes } from '../../core/domain/sponsorship.ts';
import { usageDimensions } from '../../core/domain/usage.ts';
import { webhookRequestTypes, webhookVerdicts } from '../../core/domain/webhook.ts';

const upperCase = (values: readonly string[]) => values.map((value) => value.toUpperCase());

/** The public interface imports nothing of the core, so its lists of values are its own. */
test.each<[string, readonly unknown[], readonly unknown[]]>([
  ['outcome', DecisionOutcomeSchema.options, decisionOutcomes],
  ['mode', DecisionSchema.shape.mode.unwrap().options, sponsorshipModes],
  ['verdict', TraceStepSchema.shape.verdict.options, traceVerdicts],
  ['settlement state', SettlementSchema.shape.state.options, settlementStates],
  ['gas tank entry', GasTankEntrySchema.shape.kind.options, gasTankEntryKinds],
  ['notification event', NotificationSchema.shape.events.element.options, notificationEvents],
  ['notification type', NotificationDeliverySchema.shape.type.options, notificationTypes],
  ['delivery state', NotificationDeliverySchema.shape.state.options, deliveryStates],
  ['usage dimension', contractDimensions, usageDimensions],
  ['webhook request type', WebhookSchema.shape.requestType.options, webhookRequestTypes],
  ['fix action', FixSchema.shape.action.options, fixActions],
  ['webhook verdict', WebhookAnswerSchema.shape.verdict.options, webhookVerdicts],
  ['limit scope', limitPers, upperCase(limitScopes)],
  ['limit window', contractWindows, upperCase(limitWindows)],
  // In the public interface a USD is a decimal text, in the core millionths.
  ['limit unit', contractUnits, upperCase(limitUnits).map((unit) => unit.replace('USDMICROS', 'USD'))],
  ['number of weekdays', [policyDays.length], [weekdays.length]],
])('the public interface has the domain’s values of %s', (_, published, known) => {
  expect(published).toEqual(known);
});
