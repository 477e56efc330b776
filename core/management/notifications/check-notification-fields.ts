import { maxTankLowDays, maxTankLowWei } from '@tollfree/contract/limits';
import { type NotificationEvent, notificationEvents, type TankLowRule } from '../../domain/notification.ts';
import { accept, invalidField, type Result } from '../../domain/result/result.ts';

/** The events, without duplicates and in their fixed order. */
export function checkEvents(events: readonly string[]): Result<readonly NotificationEvent[]> {
  const known = notificationEvents.filter((event) => events.includes(event));
  if (known.length === 0 || !events.every((event) => known.some((one) => one === event))) {
    return invalidField('events', `must be one or more of ${notificationEvents.join(', ')}`);
  }
  return accept(known);
}

/** Undefined when the rule is valid. */
export function checkTankLow(rule: TankLowRule): ReturnType<typeof invalidField> | undefined {
  const { thresholdWei, daysLeft } = rule;
  if (thresholdWei === undefined && daysLeft === undefined) {
    return invalidField('tankLow', 'must have thresholdWei or daysLeft');
  }
  if (thresholdWei !== undefined && (thresholdWei <= 0n || thresholdWei > maxTankLowWei)) {
    return invalidField('thresholdWei', `must be from 1 to ${maxTankLowWei} wei`);
  }
  if (daysLeft !== undefined && !(Number.isInteger(daysLeft) && daysLeft > 0 && daysLeft <= maxTankLowDays)) {
    return invalidField('daysLeft', `must be a whole number from 1 to ${maxTankLowDays}`);
  }
  return undefined;
}

/** Undefined unless `tank.low` is subscribed without a threshold. */
export function checkTankLowIsSet(
  events: readonly NotificationEvent[],
  rule: TankLowRule | undefined,
): ReturnType<typeof invalidField> | undefined {
  return events.includes('tank.low') && rule === undefined
    ? invalidField('tankLow', 'must be set for tank.low')
    : undefined;
}
