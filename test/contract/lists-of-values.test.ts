import { expect, test } from 'vitest';
import {
  DecisionOutcomeSchema,
  DecisionSchema,
  SettlementSchema,
  TraceStepSchema,
} from '../../contract/decision-fields.ts';
import { GasTankEntrySchema } from '../../contract/gas-tank.ts';
import { NotificationDeliverySchema } from '../../contract/notification.ts';
import {
  limitUnits as contractUnits,
  limitWindows as contractWindows,
  limitPers,
  policyDays,
} from '../../contract/policy-fields.ts';
import { WebhookSchema } from '../../contract/webhook.ts';
import { decisionOutcomes, settlementStates, traceVerdicts } from '../../core/domain/decision.ts';
import { gasTankEntryKinds } from '../../core/domain/gas-tank.ts';
import { notificationTypes } from '../../core/domain/notification.ts';
import { limitScopes, limitUnits, limitWindows, weekdays } from '../../core/domain/policy.ts';
import { sponsorshipModes } from '../../core/domain/sponsorship.ts';
import { webhookRequestTypes } from '../../core/domain/webhook.ts';

const upperCase = (values: readonly string[]) => values.map((value) => value.toUpperCase());

/** Lists that the core writes in another way than the interface, or that are part of a stored form. */
test.each<[string, readonly unknown[], readonly unknown[]]>([
  ['outcome', DecisionOutcomeSchema.options, decisionOutcomes],
  ['mode', DecisionSchema.shape.mode.unwrap().options, sponsorshipModes],
  ['verdict', TraceStepSchema.shape.verdict.options, traceVerdicts],
  ['settlement state', SettlementSchema.shape.state.options, settlementStates],
  ['gas tank entry', GasTankEntrySchema.shape.kind.options, gasTankEntryKinds],
  ['notification type', NotificationDeliverySchema.shape.type.options, notificationTypes],
  ['webhook request type', WebhookSchema.shape.requestType.options, webhookRequestTypes],
  ['limit scope', limitPers, upperCase(limitScopes)],
  ['limit window', contractWindows, upperCase(limitWindows)],
  // In the public interface a USD is a decimal text, in the core millionths.
  ['limit unit', contractUnits, upperCase(limitUnits).map((unit) => unit.replace('USDMICROS', 'USD'))],
  ['number of weekdays', [policyDays.length], [weekdays.length]],
])('the public interface has the domain’s values of %s', (_, published, known) => {
  expect(published).toEqual(known);
});
