import { expect, test } from 'vitest';
import {
  limitUnits as contractUnits,
  limitWindows as contractWindows,
  limitPers,
  policyDays,
} from '../../contract/policy-fields.ts';
import { limitScopes, limitUnits, limitWindows, weekdays } from '../../core/domain/policy.ts';

const upperCase = (values: readonly string[]) => values.map((value) => value.toUpperCase());

/** Lists that the core writes in another way than the interface. */
test.each<[string, readonly unknown[], readonly unknown[]]>([
  ['limit scope', limitPers, upperCase(limitScopes)],
  ['limit window', contractWindows, upperCase(limitWindows)],
  // In the public interface a USD is a decimal text, in the core millionths.
  ['limit unit', contractUnits, upperCase(limitUnits).map((unit) => unit.replace('USDMICROS', 'USD'))],
  ['number of weekdays', [policyDays.length], [weekdays.length]],
])('the public interface has the domain’s values of %s', (_, published, known) => {
  expect(published).toEqual(known);
});
